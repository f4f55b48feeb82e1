import type { Environment } from '../config.js';
import type { ApiClient } from '../http/api-client.js';
import type { Terminal } from '../output/terminal.js';
import type { SettingsStore } from '../settings/settings-store.js';

export interface GlobalOptions {
  json?: boolean;
  url?: string;
  workspace?: string;
}

export interface CommandContext {
  terminal: Terminal;
  environment: Environment;
  settings: SettingsStore;
  options: GlobalOptions;
  isJson: boolean;
  /** The client of the chosen installation, caller and workspace. @throws CommandError where one of them is missing */
  connect(): Promise<ApiClient>;
  nowMs(): number;
}

/** Prints a result: as JSON, or as lines for people. */
export function printResult(
  { isJson, terminal }: CommandContext,
  value: unknown,
  lines: () => readonly string[],
): void {
  if (isJson) terminal.print(JSON.stringify(value, null, 2));
  else for (const line of lines()) terminal.print(line);
}
