import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap/root.mjs';

const run = promisify(execFile);
const BUF = join(ROOT, 'node_modules', '.bin', 'buf');

export const GENERATED = 'shared/src/gen';

/** @param checkout a folder to write `shared/src/gen` into, undefined for this checkout */
export async function generateInto(checkout) {
  const out = checkout === undefined ? [] : ['--output', join(checkout, 'proto')];
  await buf(['generate', '--clean', ...out]);
}

/** The wire contract as agents of the former version know it; tests speak it too. */
const FORMER_CONTRACT = join(ROOT, 'test/support/former-wire');

export async function lintProto() {
  try {
    await buf(['lint']);
    await buf(['breaking', '--against', FORMER_CONTRACT]);
    return [];
  } catch (error) {
    return [`${error.stdout}${error.stderr}`.trim()];
  }
}

/** Generates again beside the committed code. @returns what differs */
export async function compareGenerated() {
  const checkout = await mkdtemp(join(tmpdir(), 'watchpost-generated-'));
  try {
    await mkdir(join(checkout, 'proto'));
    await generateInto(checkout);
    const [committed, fresh] = await Promise.all([
      contents(join(ROOT, GENERATED)),
      contents(join(checkout, GENERATED)),
    ]);
    const faults = [];
    for (const path of new Set([...committed.keys(), ...fresh.keys()])) {
      if (committed.get(path) !== fresh.get(path))
        faults.push(`${GENERATED}/${path} is not what proto/ generates: run "npm run generate".`);
    }
    if (fresh.size === 0) faults.push('buf generated nothing.');
    return faults;
  } finally {
    await rm(checkout, { recursive: true, force: true });
  }
}

/** A script that finds the platform's program, or that program itself, by whether install scripts were run. */
function buf(args) {
  return run(BUF, args, { cwd: join(ROOT, 'proto'), timeout: 120_000 });
}

async function contents(folder) {
  const found = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    found.set(path.slice(folder.length + 1), await readFile(path, 'utf8'));
  }
  return found;
}
