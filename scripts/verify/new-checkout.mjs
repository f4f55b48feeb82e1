import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const STATIC_IMPORT = /^(?:import|(?:import|export) (?!type )[^;'"]* from) ['"]([^'"]+)['"]/gm;

/**
 * Every command of package.json installs the packages itself, so that what it imports statically needs none of them.
 * @returns the imports that would fail in a new checkout
 */
export async function checkNewCheckout() {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const commands = Object.values(scripts).flatMap((command) => /^node (\S+\.mjs)/.exec(command)?.[1] ?? []);
  const faults = [];
  const visited = new Set();
  const waiting = commands.map((path) => join(ROOT, path));
  for (const file of waiting) {
    if (visited.has(file)) continue;
    visited.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, specifier] of text.matchAll(STATIC_IMPORT)) {
      if (specifier.startsWith('.')) waiting.push(join(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) faults.push(fault(file, specifier));
    }
  }
  return faults;
}

function fault(file, specifier) {
  return `${relative(ROOT, file)} imports ${specifier}, which a new checkout lacks: import it after bootstrap().`;
}
