import { Command, CommanderError, Option } from 'commander';
import { BUILD } from '@watchpost/shared/build';
import { addAccountCommands } from '../account/account-commands.js';
import { addCompletionCommand } from '../completion/completion-command.js';
import type { Environment } from '../config.js';
import { addConfigurationCommands } from '../configuration/configuration-commands.js';
import { addIncidentCommands } from '../incidents/incident-commands.js';
import { addImportCommands } from '../import/import-commands.js';
import { addLoginCommands } from '../login/login-commands.js';
import { addMonitorCommands } from '../monitors/monitor-commands.js';
import type { Terminal } from '../output/terminal.js';
import { EXIT } from './command-error.js';
import { type Bind, runCommand } from './run-command.js';

/**
 * Runs the command that the arguments name.
 * @param args without the program itself
 * @returns the exit code
 */
export async function runProgram(
  args: readonly string[],
  surroundings: { terminal: Terminal; environment: Environment },
): Promise<number> {
  let exitCode: number = EXIT.done;
  const bind: Bind =
    (action) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word): word is string => typeof word === 'string');
      exitCode = await runCommand(action, words, command.optsWithGlobals(), surroundings);
    };
  try {
    await createProgram(bind, surroundings.terminal).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // It has printed the help or what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

/** All commands with their arguments and options. */
export function createProgram(bind: Bind, terminal: Terminal): Command {
  const program = new Command('watchpost')
    .description('Watchpost on the command line: monitors, incidents, on call, and configuration as code.')
    .version(BUILD, '--version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .addOption(new Option('--json', 'print the result as JSON'))
    .addOption(new Option('--url <address>', 'the Watchpost to call (default: WATCHPOST_URL, then the last sign-in)'))
    .addOption(
      new Option('--workspace <id or name>', 'the workspace (default: WATCHPOST_WORKSPACE_ID, then the one kept)'),
    )
    .showHelpAfterError('`watchpost --help` lists the commands, `watchpost COMMAND --help` explains one.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.report(text.trimEnd()),
    })
    .exitOverride()
    .addHelpText('after', AFTER_HELP);
  addLoginCommands(program, bind);
  addAccountCommands(program, bind);
  addMonitorCommands(program, bind);
  addIncidentCommands(program, bind);
  addConfigurationCommands(program, bind);
  addCompletionCommand(program, bind);
  addImportCommands(program, bind);
  return program;
}

const AFTER_HELP = `
Environment: WATCHPOST_URL, WATCHPOST_API_KEY, WATCHPOST_WORKSPACE_ID, NO_COLOR.
Exit codes: 0 done, 1 error, 2 \`diff\` found differences, 64 wrong usage.`;
