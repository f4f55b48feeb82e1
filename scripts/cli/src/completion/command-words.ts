import type { Command } from 'commander';

/** A word that may come next, and what it is. */
export interface Word {
  word: string;
  description: string;
}

export interface CompletedOption extends Word {
  /** Such as `-f`. */
  short: string | undefined;
  takesValue: boolean;
  /** The values of an option that has only these. */
  choices: readonly string[];
  /** Whether its value is a file or folder. */
  isFile: boolean;
}

/** Names of values that are a file or folder. */
const FILE_VALUES: readonly (string | undefined)[] = ['file', 'path'];

/** A command with what may follow it. */
export interface CompletedCommand {
  /** Its words from the top, each with a blank before it: ` monitors list`; empty for the program. */
  path: string;
  commands: readonly Word[];
  options: readonly CompletedOption[];
  /** Values of its argument, where it has only these. */
  values: readonly string[];
  /** Whether one of its arguments is a file or folder. */
  takesFile: boolean;
}

/** An option as it may be written: `-f` and `--file`. */
export function spellingsOf({ short, word }: CompletedOption): string[] {
  return short === undefined ? [word] : [short, word];
}

/** Every command of the program, as completion needs it. */
export function completedCommands(program: Command, path = '', inherited: Command['options'] = []): CompletedCommand[] {
  const options = [...inherited, ...program.options];
  const shared = path === '' ? program.options.filter(({ long }) => long !== '--version') : inherited;
  const own: CompletedCommand = {
    path,
    commands: program.commands.map((command) => ({ word: command.name(), description: command.description() })),
    options: options.map(({ long, short, flags, required, argChoices, description }) => ({
      word: long!,
      short: short ?? undefined,
      description,
      takesValue: required,
      choices: argChoices ?? [],
      isFile: FILE_VALUES.includes(/<(.+)>/.exec(flags)?.[1]),
    })),
    values: program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFile: program.registeredArguments.some((argument) => FILE_VALUES.includes(argument.name())),
  };
  return [
    own,
    ...program.commands.flatMap((command) => completedCommands(command, `${path} ${command.name()}`, shared)),
  ];
}
