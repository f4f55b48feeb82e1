// npm run release -- major|minor|patch: makes a release of what is committed on main: changelog, version, tag and artefacts.
// It pushes nothing. `--dry-run` only shows what would happen, `--no-artefacts` stops at the tag, and
// `npm run release -- artefacts` makes the artefacts of the tag that is checked out.
import './bootstrap/node-version.mjs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, printMessage } from './bootstrap/root.mjs';
import { makeArtefacts } from './release/make-artefacts.mjs';
import { readChanges, removeChanges, writeChangelog } from './release/changelog.mjs';
import { git, tagsAt } from './release/git.mjs';

const LEVELS = ['major', 'minor', 'patch'];
const USAGE =
  'Usage: npm run release -- major|minor|patch [--dry-run] [--no-artefacts], or npm run release -- artefacts';

const options = { 'dry-run': { type: 'boolean' }, 'no-artefacts': { type: 'boolean' } };
const { values: given, positionals } = readArguments();
const [what] = positionals;
if (what === 'artefacts') await makeArtefactsOfHead();
else await release(what);

async function release(level) {
  const present = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version;
  const version = nextVersion(present, level);
  const { changes, faults } = await readChanges();
  refuse([...(await findObstacles(version)), ...faults]);
  const date = new Date().toISOString().slice(0, 10);
  const section = await writeChangelog({ version, date, changes, isDry: given['dry-run'] });
  if (given['dry-run']) {
    printMessage(`Would release ${version} (now ${present}), tag v${version}, and make its artefacts in dist/release.`);
    return void process.stdout.write(section);
  }
  await setVersion(version);
  await removeChanges(changes);
  await git('add', '--all');
  await git('commit', '--quiet', '-m', `Release ${version}`);
  await git('tag', '-a', `v${version}`, '-m', `Watchpost ${version}`);
  printMessage(`Committed and tagged v${version}. Nothing is pushed.`);
  if (!given['no-artefacts']) await makeArtefactsOfHead();
}

/** @returns why no release can be made now */
async function findObstacles(version) {
  const branch = await git('branch', '--show-current').catch(() => undefined);
  if (branch === undefined) return ['This is not a Git checkout: clone the repository.'];
  const faults = [];
  if (branch !== 'main') faults.push(`The branch is ${branch || 'none'}: a release is made of main.`);
  if ((await git('status', '--porcelain')) !== '') faults.push('There are changes that are not committed.');
  if ((await git('tag', '--list', `v${version}`)) !== '') faults.push(`There is a tag v${version} already.`);
  return faults;
}

async function makeArtefactsOfHead() {
  const [tag] = await tagsAt('HEAD');
  if (tag === undefined) refuse(['What is checked out has no tag of a release: git switch --detach v….']);
  const out = await makeArtefacts(tag).catch((error) => {
    printMessage(`${error.message}\nThe artefacts of ${tag} are not made. Afterwards: npm run release -- artefacts`);
    process.exit(1);
  });
  printMessage(`The artefacts of ${tag} are in ${out}.`);
}

function nextVersion(version, level) {
  const numbers = version.split('.').map(Number);
  const index = LEVELS.indexOf(level);
  return numbers.map((number, at) => (at < index ? number : at === index ? number + 1 : 0)).join('.');
}

/** The lock file and the charts repeat the version of the root. */
async function setVersion(version) {
  for (const name of ['package.json', 'package-lock.json']) {
    const path = join(ROOT, name);
    const content = JSON.parse(await readFile(path, 'utf8'));
    content.version = version;
    if (content.packages) content.packages[''].version = version;
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
  }
  for (const name of ['watchpost', 'watchpost-agent']) {
    const path = join(ROOT, 'deploy/helm', name, 'Chart.yaml');
    const content = await readFile(path, 'utf8');
    await writeFile(path, content.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  }
}

function readArguments() {
  try {
    const read = parseArgs({ options, allowPositionals: true });
    if (read.positionals.length === 1 && [...LEVELS, 'artefacts'].includes(read.positionals[0])) return read;
  } catch (error) {
    printMessage(error.message);
  }
  printMessage(USAGE);
  process.exit(2);
}

function refuse(faults) {
  if (faults.length === 0) return;
  printMessage(['No release is made:', ...faults.map((fault) => `- ${fault}`)].join('\n'));
  process.exit(1);
}
