import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * The disk operations of a spool. They are synchronous on purpose: an append is a copy into the page cache (some µs),
 * while Node's thread pool is shared with name lookups that can hang for seconds.
 */
export interface SpoolDisk {
  names(): string[];
  modifiedMs(name: string): number;
  /** Opens for reading and writing; creates a missing file. */
  open(name: string): number;
  /** Opens for reading only, which also works where the disk is mounted read-only. */
  openToRead(name: string): number;
  size(fd: number): number;
  /** @returns how many bytes were read */
  read(fd: number, into: Buffer, position: number): number;
  /** Writes all bytes or throws; after an error any prefix may have been written. */
  write(fd: number, bytes: Buffer, position: number): void;
  truncate(fd: number, size: number): void;
  /** Makes what was written survive a power cut. */
  sync(fd: number): Promise<void>;
  syncNow(fd: number): void;
  close(fd: number): void;
  remove(name: string): void;
}

/** A spool folder on a real disk; creates a missing one. */
export function openSpoolDisk(folder: string): SpoolDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    names: () => readdirSync(folder),
    modifiedMs: (name) => statSync(join(folder, name)).mtimeMs,
    open(name) {
      // 'r+' does not create files and 'a+' ignores positions.
      try {
        return openSync(join(folder, name), 'r+');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return openSync(join(folder, name), 'wx+', 0o600);
      }
    },
    openToRead: (name) => openSync(join(folder, name), 'r'),
    size: (fd) => fstatSync(fd).size,
    read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
    write(fd, bytes, position) {
      for (let written = 0; written < bytes.length;)
        written += writeSync(fd, bytes, written, bytes.length - written, position + written);
    },
    truncate: (fd, size) => ftruncateSync(fd, size),
    sync: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
    syncNow: (fd) => fdatasyncSync(fd),
    close: (fd) => closeSync(fd),
    remove: (name) => rmSync(join(folder, name), { force: true }),
  };
}
