import type { Environment } from '../config.js';
import type { ApiClient } from '../http/api-client.js';
import type { Terminal } from '../output/terminal.js';
import { SettingsStore } from '../settings/settings-store.js';
import type { CommandContext, GlobalOptions } from './command-context.js';
import { CommandError, EXIT } from './command-error.js';
import { connect } from './connect.js';
import { reportError } from './report-error.js';

/** What a command does. @returns its exit code, where it is not 0 */
export type Action<Options = object> = (
  context: CommandContext,
  args: readonly string[],
  options: Options,
) => Promise<number | void>;

export type Bind = <Options>(action: Action<Options>) => (...given: unknown[]) => Promise<void>;

/** Runs a command, and prints the error that it ends with. @returns the exit code */
export async function runCommand<Options>(
  action: Action<Options>,
  args: readonly string[],
  options: Options & GlobalOptions,
  { terminal, environment }: { terminal: Terminal; environment: Environment },
): Promise<number> {
  const settings = new SettingsStore(environment.settingsFolder);
  let api: Promise<ApiClient> | undefined;
  const context: CommandContext = {
    terminal,
    environment,
    settings,
    options,
    isJson: options.json === true,
    connect: () => (api ??= connect(options, environment, settings, terminal)),
    nowMs: () => Date.now(),
  };
  try {
    return (await action(context, args, options)) ?? EXIT.done;
  } catch (error) {
    const known = error instanceof CommandError ? error : unexpected(error);
    reportError(terminal, known, context.isJson);
    return known.exitCode;
  }
}

function unexpected(error: unknown): CommandError {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CommandError(`This is a fault of the command line itself: ${message}`, { code: 'internal_error' });
}
