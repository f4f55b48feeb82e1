/** Programs of the system are run with these: never by a shell, with their words in English, and only from where the system installs programs. */
export const PROGRAM_OPTIONS = {
  env: { LC_ALL: 'C', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  encoding: 'latin1',
  maxBuffer: 64 * 1024,
  killSignal: 'SIGKILL',
} as const;
