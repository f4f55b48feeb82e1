// Checks that what the scripts import from the product exists: no compiler reads them.
import { readCheckout } from './read-checkout.mjs';

const IMPORT = /import \{([^}]*)\} from '(@watchpost\/[^']+)';/g;
/** Each must be reported, or this check checks nothing. */
const PLANTED = [
  "import { DAY_MS, nowhere } from '@watchpost/shared/time';",
  "import { nowhere } from '@watchpost/shared/nowhere';",
];

/** @returns the faults, also those of the check itself */
export async function checkScriptImports() {
  const faults = [];
  for (const text of PLANTED) if ((await faultsOf(text)).length === 0) faults.push(`Not reported: ${text}`);
  for (const [path, text] of await readCheckout('*.mjs')) {
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
