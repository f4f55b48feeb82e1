import { readFileSync, statSync } from 'node:fs';

/** The least time between two checks of the file. */
const LOOK_MS = 1_000;

/**
 * A small file that is read again when it has changed. Synchronous, because it is short, on a local disk and needed at
 * once.
 */
export class WatchedFile<T> {
  private lookedAt = -Infinity;
  private version = '';
  private value: T | undefined;

  /** @param parse gets an empty text if the file cannot be read */
  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {}

  get(): T {
    const now = performance.now();
    if (this.value !== undefined && now < this.lookedAt + LOOK_MS) return this.value;
    this.lookedAt = now;
    const version = versionOf(this.path);
    if (this.value === undefined || version !== this.version) {
      this.version = version;
      this.value = this.parse(read(this.path));
    }
    return this.value;
  }
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : 'none';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
