import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  url: string | undefined;
  apiKey: string | undefined;
  workspace: string | undefined;
  settingsFolder: string;
  /** Whether colours are refused (https://no-color.org), or the terminal has none. */
  isPlain: boolean;
  /** The value of a variable that a document names; undefined where it is not set. */
  variable(name: string): string | undefined;
}

/** Reads the environment. An empty variable counts as one that is not set, except for those that documents name. */
export function readEnvironment(env: Readonly<NodeJS.ProcessEnv> = process.env): Environment {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined;
  return {
    url: read('WATCHPOST_URL'),
    apiKey: read('WATCHPOST_API_KEY'),
    workspace: read('WATCHPOST_WORKSPACE_ID'),
    settingsFolder: join(read('XDG_CONFIG_HOME') ?? join(read('HOME') ?? homedir(), '.config'), 'watchpost'),
    isPlain: read('NO_COLOR') !== undefined || read('TERM') === 'dumb',
    variable: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
  };
}
