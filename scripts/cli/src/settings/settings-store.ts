import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../command/command-error.js';
import { fileError } from '../file-error.js';

export interface Login {
  issuer: string;
  clientId: string;
  tokenEndpoint: string;
  /** null where the provider has none. */
  revocationEndpoint: string | null;
  accessToken: string;
  /** null where the provider gave none: the sign-in then ends with the access token. */
  refreshToken: string | null;
  /** When the access token ends, ms since the epoch. */
  expiresAt: number;
}

export interface Settings {
  /** The installation that commands are about, unless they name another one. */
  url: string | null;
  /** By the address of the installation. */
  installations: Record<string, { workspaceId: string | null; login: Login | null }>;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const LOCK_DEADLINE_MS = 45_000;
/** Longer than a request to a provider takes: the lock of a process that was killed. */
const STALE_LOCK_MS = 40_000;
const POLL_MS = 50;

/** The settings in a file that only their owner can read. */
export class SettingsStore {
  readonly #file: string;
  readonly #lock: string;

  constructor(readonly folder: string) {
    this.#file = join(folder, 'settings.json');
    this.#lock = join(folder, 'settings.lock');
  }

  /** @throws CommandError where the file has another content */
  async read(): Promise<Settings> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { url: null, installations: {} };
      throw this.#unusable(error);
    }
    try {
      const { url = null, installations = {} } = JSON.parse(text) as Partial<Settings>;
      if (typeof (url ?? '') !== 'string' || Object(installations) !== installations)
        throw new SyntaxError('no settings');
      return { url, installations };
    } catch (cause) {
      throw new CommandError(`The settings in ${this.#file} cannot be used: its content is damaged.`, {
        nextStep: 'Correct or remove the file, and sign in again with `watchpost login`.',
        cause,
      });
    }
  }

  /**
   * Changes the settings while no other process does. Refresh tokens are good once, so renewing one is such a change.
   * @returns what `change` returns
   */
  async change<T>(change: (settings: Settings) => Promise<T> | T): Promise<T> {
    await this.#usably(mkdir(this.folder, { recursive: true, mode: FOLDER_MODE }));
    await this.#takeLock();
    try {
      const settings = await this.read();
      const result = await change(settings);
      await this.#usably(this.#write(settings));
      return result;
    } finally {
      await rm(this.#lock, { force: true });
    }
  }

  async #write(settings: Settings): Promise<void> {
    const draft = `${this.#file}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: FILE_MODE });
    // The mode above is reduced by the umask, never widened; this is for a file system that ignores it.
    await chmod(draft, FILE_MODE);
    await rename(draft, this.#file);
  }

  async #takeLock(): Promise<void> {
    const deadline = Date.now() + LOCK_DEADLINE_MS;
    for (;;) {
      try {
        await (await open(this.#lock, 'wx', FILE_MODE)).close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw this.#unusable(error);
      }
      const age = await stat(this.#lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > STALE_LOCK_MS) await rm(this.#lock, { force: true });
      else if (Date.now() > deadline) {
        throw new CommandError(`Another watchpost command keeps the settings locked.`, {
          nextStep: `If none runs, remove ${this.#lock}.`,
        });
      } else await sleep(POLL_MS);
    }
  }

  #usably<T>(access: Promise<T>): Promise<T> {
    return access.catch((error: unknown) => {
      throw this.#unusable(error);
    });
  }

  #unusable(cause: unknown): CommandError {
    const nextStep = 'Change that, or set XDG_CONFIG_HOME to another folder.';
    return fileError(`The settings in ${this.#file} cannot be used`, cause, { nextStep });
  }
}
