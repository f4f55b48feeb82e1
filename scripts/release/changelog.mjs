import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const FOLDER = join(ROOT, 'changes');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const UPGRADE_NOTES = join(ROOT, 'docs', 'guides', 'upgrade-notes.md');
/** In the order in which the changelog has them. */
const KINDS = ['added', 'changed', 'fixed', 'removed', 'security'];
const NAME = new RegExp(`^[a-z0-9-]+\\.(${KINDS.join('|')})\\.md$`);

/** Reads changes/<name>.<kind>.md. @returns them, and what is wrong with them */
export async function readChanges() {
  const names = (await readdir(FOLDER)).filter((name) => name !== 'README.md').toSorted();
  const changes = await Promise.all(
    names.map(async (name) => ({
      name,
      kind: NAME.exec(name)?.[1],
      text: (await readFile(join(FOLDER, name), 'utf8')).trim(),
    })),
  );
  const faults = changes.flatMap(({ name, kind, text }) => [
    ...(kind === undefined
      ? [`changes/${name} is not named <name>.<kind>.md, with the kind ${KINDS.join(', ')}.`]
      : []),
    ...(text === '' ? [`changes/${name} is empty.`] : []),
  ]);
  if (changes.length === 0) faults.push('changes/ has no change since the last release.');
  return { changes, faults };
}

/** Puts the section of a version before those of former ones. @returns the section */
export async function writeChangelog({ version, date, changes, isDry }) {
  const title = `## ${version} (${date})`;
  const groups = KINDS.map((kind) => ({ kind, texts: changes.filter((change) => change.kind === kind) }));
  const section = groups
    .filter(({ texts }) => texts.length > 0)
    .map(({ kind, texts }) => {
      const lines = texts.map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`);
      return `### ${kind[0].toUpperCase()}${kind.slice(1)}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
  const text = `${title}\n\n${section}`;
  if (isDry) return text;
  const [head, ...former] = (await readFile(CHANGELOG, 'utf8')).trimEnd().split(/\n(?=## )/);
  await writeFile(CHANGELOG, `${[head, text, ...former].map((part) => part.trim()).join('\n\n')}\n`);
  const notes = await readFile(UPGRADE_NOTES, 'utf8');
  await writeFile(UPGRADE_NOTES, notes.replace('## Unreleased\n', `## ${version}\n`));
  return text;
}

/** @returns the section of a version */
export async function readChangelog(root, version) {
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  return `${text
    .split(/\n(?=## )/)
    .find((part) => part.startsWith(`## ${version} `))
    .trimEnd()}\n`;
}

export async function removeChanges(changes) {
  await Promise.all(changes.map(({ name }) => rm(join(FOLDER, name))));
}
