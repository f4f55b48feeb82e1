import { CommandError, type CommandErrorOptions } from './command/command-error.js';

const CHANGE_RIGHTS = 'Change the rights of the file and of its folder, or choose another place.';

/** The reason why a file cannot be used, and the next step, by the code of the operating system. */
const FAULTS: Readonly<Record<string, readonly [reason: string, nextStep: string]>> = {
  EACCES: ['you have no right to do so', CHANGE_RIGHTS],
  EEXIST: ['it exists already', 'Remove it, or choose another name.'],
  EISDIR: ['it is a folder', 'Name a file.'],
  ELOOP: ['its links lead in a circle', 'Name the file itself.'],
  ENAMETOOLONG: ['its name is too long', 'Choose a shorter one.'],
  ENOENT: ['it does not exist', 'Correct its name, or make the folder that it is to be in.'],
  ENOSPC: ['the disk is full', 'Make room, and run the command again.'],
  ENOTDIR: ['a part of its path is a file, and no folder', 'Correct its path.'],
  EPERM: ['you have no right to do so', CHANGE_RIGHTS],
  EROFS: ['nothing can be written to that disk', 'Choose another place.'],
};

/** @param doing what failed, such as `a.yaml cannot be read`. @param error of the operating system */
export function fileError(doing: string, error: unknown, options: CommandErrorOptions = {}): CommandError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [reason, nextStep] = FAULTS[code] ?? [message];
  return new CommandError(`${doing}: ${reason}.`, { code: 'unreadable_file', nextStep, ...options, cause: error });
}
