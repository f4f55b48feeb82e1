// Checks that what the scripts import from the product exists: no compiler reads them.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap/root.mjs';

const IMPORT = /import \{([^}]*)\} from '(@watchpost\/[^']+)';/g;
/** Each must be reported, or this check checks nothing. */
const PLANTED = [
  "import { DAY_MS, nowhere } from '@watchpost/shared/time';",
  "import { nowhere } from '@watchpost/shared/nowhere';",
];

/** @returns the faults, also those of the check itself */
export async function checkScriptImports() {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '--', '*.mjs'], { cwd: ROOT });
  const faults = [];
  for (const text of PLANTED) if ((await faultsOf(text)).length === 0) faults.push(`Not reported: ${text}`);
  for (const path of stdout.split('\n').filter(Boolean)) {
    const text = await readFile(join(ROOT, path), 'utf8').catch(() => '');
    if (path !== 'scripts/verify/script-imports.mjs')
      for (const fault of await faultsOf(text)) faults.push(`${path}: ${fault}`);
  }
  return faults;
}

async function faultsOf(text) {
  const faults = [];
  for (const [, names, module] of text.matchAll(IMPORT)) {
    const offered = await import(module).catch(() => null);
    if (offered === null) faults.push(`${module} cannot be imported.`);
    for (const name of names.split(',').map((one) => one.trim().split(' ')[0]))
      if (offered !== null && name !== '' && !(name in offered)) faults.push(`${module} does not export ${name}.`);
  }
  return faults;
}
