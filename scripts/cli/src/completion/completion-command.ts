import { Argument, type Command } from 'commander';
import { printResult } from '../command/command-context.js';
import type { Bind } from '../command/run-command.js';
import { bashCompletion } from './bash-completion.js';
import { completedCommands } from './command-words.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof SCRIPTS;

export function addCompletionCommand(program: Command, bind: Bind): void {
  program
    .command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action(
      bind(async (context, [shell]) => {
        const script = SCRIPTS[shell as Shell](completedCommands(program));
        printResult(context, { shell, script }, () => [script]);
      }),
    );
}
