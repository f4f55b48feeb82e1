// Checks the doors of the capabilities: their index.ts, through which others use them.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const CAPABILITIES = 'control-plane/src/capabilities';
/** The most names that a capability offers, types included. */
const MOST_NAMES = 40;

const PLANTED_NAMES = Array.from({ length: MOST_NAMES }, (_, index) => `name${index}`).join(', ');
/** Each must be reported, or this check checks nothing. */
const PLANTED = [
  `export { ${PLANTED_NAMES} } from './many.js';\nexport { type Other } from './other.js';\n`,
  `export {\n  ${PLANTED_NAMES},\n  type Other,\n} from './many.js';\n`,
  `export { ${PLANTED_NAMES} } from './many.js';\nexport type { One as Other } from './other.js';\n`,
  "export * from './everything.js';\n",
  "export * as everything from './everything.js';\n",
  "import { made } from './made.js';\nexport { made };\n",
  'export const made = 1;\n',
  "export { monitorStore } from './monitor-store.js';\n",
  "export { table as monitorStore } from './monitor-store.js';\n",
];

const EXPORT = /^export (?:type )?\{([^}]*)\} from '[^']+';$/gm;

/** @returns the faults, also those of the check itself */
export async function checkDoors() {
  const faults = PLANTED.filter((text) => faultsOf(text).length === 0).map((text) => `Not reported: ${text}`);
  for (const name of await readdir(join(ROOT, CAPABILITIES))) {
    const path = `${CAPABILITIES}/${name}/index.ts`;
    if (!existsSync(join(ROOT, path))) continue;
    for (const fault of faultsOf(await readFile(join(ROOT, path), 'utf8'))) faults.push(`${path} ${fault}`);
  }
  return faults;
}

function faultsOf(text) {
  const names = [...text.matchAll(EXPORT)]
    .flatMap(([, list]) => list.split(','))
    .map((name) => name.trim().split(' ').at(-1))
    .filter((name) => name !== '');
  return [
    ...(text.replace(EXPORT, '').trim() === '' ? [] : ['has more than lines that name what they export from a file.']),
    ...(names.length > MOST_NAMES
      ? [`offers ${names.length} names, and ${MOST_NAMES} is the most: move what others need to where it belongs.`]
      : []),
    ...names
      .filter((name) => name.endsWith('Store'))
      .map(
        (name) => `offers ${name}: a store is of its capability alone, and others get a function for what they need.`,
      ),
  ];
}
