import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';

const FOLDERS = ['shared/src', 'control-plane/src', 'control-plane/console/src', 'agent/src', 'test', 'scripts'];

/** Names that describe no content. */
const EMPTY_NAMES = /^(?:utils?|helpers?|common|manager|base)(?:[.-].*)?\.tsx?$/;
const FORBIDDEN = [
  // The words are split, so that this file passes its own check.
  [new RegExp(['(?:eslint|oxlint)', 'disable'].join('-')), 'switches the linter off'],
  [/@ts-(?:ignore|expect-error|nocheck)/, 'switches the compiler off'],
  [
    new RegExp(`\\b(?:${['TO', 'FIX'].map((word, i) => word + ['DO', 'ME'][i]).join('|')})\\b`),
    'leaves something for later',
  ],
  [
    /\bURL\.canParse\(/,
    'asks what Node 20 answers wrongly once it is optimised: use parseUrl of shared/src/parse-url.ts',
  ],
];

/** What no linter's rule covers. @returns the faults */
export async function checkHouseRules() {
  const faults = [];
  for (const path of await sources()) {
    if (EMPTY_NAMES.test(basename(path))) faults.push(`${path}: name it after what it does.`);
    const text = await readFile(join(ROOT, path), 'utf8');
    for (const [index, line] of text.split('\n').entries()) {
      for (const [pattern, what] of FORBIDDEN) if (pattern.test(line)) faults.push(`${path}:${index + 1} ${what}.`);
    }
  }
  return faults;
}

async function sources() {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true })).map((path) => `${folder}/${path}`),
    ),
  );
  return lists.flat().filter((path) => /\.(?:tsx?|mjs|cjs)$/.test(path) && !/^shared\/src\/gen\/|\/dist\//.test(path));
}
