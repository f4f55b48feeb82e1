import { MIB, MOST_DOCUMENT_MIB } from '@watchpost/shared/document-limits';
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command/command-error.js';
import { fileError } from '../file-error.js';
import { readFileBounded } from '../read-bounded.js';
import type { Terminal } from '../output/terminal.js';
import type { Source } from './source.js';

const MAX_FILES = 1_000;
const MAX_DEPTH = 20;
/** Of all files together. */
const MAX_BYTES = MOST_DOCUMENT_MIB * MIB;
const excess = () => new CommandError(`The document has more than ${MOST_DOCUMENT_MIB} MiB.`);
const IS_DOCUMENT = /\.(?:ya?ml|json)$/i;

/**
 * Reads what `-f` names: files, folders with all YAML and JSON files in them, and `-` for standard input.
 * @throws CommandError where one of them cannot be read, or there are too many
 */
export async function readSources(named: readonly string[], terminal: Pick<Terminal, 'readInput'>): Promise<Source[]> {
  const sources: Source[] = [];
  let bytes = 0;
  const add = (name: string, content: Buffer): void => {
    bytes += content.length;
    if (bytes > MAX_BYTES) throw excess();
    sources.push({ name, text: decode(name, content) });
  };
  for (const name of new Set(named)) {
    if (name === '-') {
      add('<stdin>', await terminal.readInput(MAX_BYTES));
      continue;
    }
    const paths = await listFiles(name);
    if (sources.length + paths.length > MAX_FILES) throw new CommandError(`There are more than ${MAX_FILES} files.`);
    for (const path of paths) add(path, await readFileBounded(path, MAX_BYTES, excess()));
  }
  return sources;
}

/** The file itself, or the files of the folder in alphabetical order, hidden ones excepted. */
async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: unknown) => unreadable(path, error));
  if (!found.isDirectory()) return [path];
  const files = await walk(path, 0);
  if (files.length > 0) return files;
  throw new CommandError(`The folder ${path} has no file that ends in .yaml, .yml or .json.`, { code: 'no_document' });
}

async function walk(folder: string, depth: number): Promise<string[]> {
  if (depth > MAX_DEPTH) throw new CommandError(`${folder} is nested more than ${MAX_DEPTH} folders deep.`);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => unreadable(folder, error));
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (await isFolder(entry, path)) files.push(...(await walk(path, depth + 1)));
    else if (IS_DOCUMENT.test(entry.name)) files.push(path);
    if (files.length > MAX_FILES) throw new CommandError(`${folder} has more than ${MAX_FILES} files.`);
  }
  return files;
}

/** A symbolic link is what it leads to. */
async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await stat(path).catch((error: unknown) => unreadable(path, error))).isDirectory();
}

function decode(name: string, content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new CommandError(`${name} is no text in UTF-8.`, { nextStep: 'Save it in this encoding.' });
  }
}

function unreadable(path: string, error: unknown): never {
  throw fileError(`${path} cannot be read`, error);
}
