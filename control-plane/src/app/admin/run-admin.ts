import { BUILD } from '@watchpost/shared/build';
import { Fault } from '@watchpost/shared/fault';
import type { AdminCommand, AdminDeps } from './command.js';

export interface AdminAnswer {
  exitCode: 0 | 1 | 2;
  stdout: string[];
  stderr: string[];
}

/**
 * Finds and runs a command. Exit code 0: done; 1: not possible; 2: unknown command or wrong options.
 * @param open connects to the database; called only for a command that exists
 */
export async function runAdmin(
  argv: readonly string[],
  commands: readonly AdminCommand[],
  open: () => Promise<{ deps: AdminDeps; close: () => Promise<void> }>,
): Promise<AdminAnswer> {
  if (argv[0] === '--version') return { exitCode: 0, stdout: [`watchpost-admin ${BUILD}`], stderr: [] };
  if (argv.length === 0 || argv.some((arg) => arg === '--help' || arg === '-h') || argv[0] === 'help') {
    const asked = argv.length > 0;
    return asked
      ? { exitCode: 0, stdout: overview(commands), stderr: [] }
      : { exitCode: 2, stdout: [], stderr: overview(commands) };
  }
  const found = find(commands, argv);
  if (!found) {
    return {
      exitCode: 2,
      stdout: [],
      stderr: [`There is no command ${JSON.stringify(argv.slice(0, 2).join(' '))}.`, ...overview(commands)],
    };
  }
  try {
    found.command.check?.(found.args);
    const { deps, close } = await open();
    try {
      return { exitCode: 0, stdout: await found.command.run(deps, found.args), stderr: [] };
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { exitCode: error.code === 'validation_failed' ? 2 : 1, stdout: [], stderr: [error.message] };
  }
}

function find(
  commands: readonly AdminCommand[],
  argv: readonly string[],
): { command: AdminCommand; args: string[] } | undefined {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => argv[index] === word)) return { command, args: argv.slice(words.length) };
  }
  return undefined;
}

function overview(commands: readonly AdminCommand[]): string[] {
  return [
    'usage: npm run --silent admin -- COMMAND',
    '',
    ...commands.flatMap(({ usage, summary }) => [`  ${usage}`, `      ${summary}`]),
  ];
}
