// Refuses the words that the glossary replaced. `node scripts/verify/word-list.mjs control-plane/src/app` lists those of a folder.
import { pathToFileURL } from 'node:url';
import { readCheckout } from './read-checkout.mjs';

/** The forms of each replaced word, and what to write instead. */
const REPLACED = [
  [['tell', 'tells', 'told', 'telling'], 'notify, report, show, distinguish'],
  [['say', 'says', 'said', 'saying'], 'report, state, contain, or the noun itself'],
  [['owe', 'owes', 'owed'], 'handover, backlog'],
  [['arrear', 'arrears'], 'handover, backlog'],
  [['sight', 'sights'], 'visibility'],
  [['pulse', 'pulses'], 'heartbeat'],
  [['spread', 'spreads'], 'distribute, fan out'],
  [['piece', 'pieces'], 'part, bucket, batch'],
  [['stands', 'standing', 'standings'], 'series, status, state'],
  [['suspicion', 'suspicions', 'distrust', 'distrusts', 'distrusted', 'doubt', 'doubted', 'doubtful'], 'suspect'],
  [['believe', 'believes', 'believed'], 'trust, count'],
  [['whoever', 'whomever'], 'the role: caller, owner, reader'],
];
/** Names of concepts that have another name now. */
const REPLACED_NAMES = [
  [/\bregion_?state\b/i, 'series'],
  [/\bslot_?ms\b/i, 'scheduledAtMs'],
];
/** Names of others, which are as they are. */
const FOREIGN = /\btopologySpreadConstraints\b|<\\?\/?Say>/g;
const INSTEAD = new Map(REPLACED.flatMap(([words, instead]) => words.map((word) => [word, instead])));

const SOURCES = ['*.ts', '*.tsx', '*.css', '*.mjs', '*.cjs', '*.sql', '*.proto', '*.md', '*.yaml'];
/** This file, the glossary and the upgrade notes name the words that they replace; generated code follows its source. */
const EXEMPT =
  /^(?:scripts\/verify\/word-list\.mjs|docs\/(?:glossary|guides\/upgrade-notes)\.md|shared\/src\/gen\/.*)$/;

/** @returns a fault for each name and line of the files that has a replaced word; without paths, of all files */
export async function checkWords(paths = []) {
  const files = (await readCheckout(...SOURCES)).filter(([path]) => !EXEMPT.test(path) && isWanted(path, paths));
  const blind = PLANTED.filter((line) => replacedWords(line).length === 0);
  const faults = files.flatMap(([path, text]) => [
    ...replacedWords(path).map(({ word, instead }) => `${path} has "${word}" in its name: write ${instead}.`),
    ...text
      .split('\n')
      .flatMap((line, index) =>
        replacedWords(line).map(({ word, instead }) => `${path}:${index + 1} "${word}": write ${instead}.`),
      ),
  ]);
  return [...blind.map((line) => `The word list does not see the replaced word in "${line}".`), ...faults];
}

/** Lines that must have a fault. */
const PLANTED = [
  'const readSaid = 1;',
  'SELECT told_change',
  '// Whoever reads this',
  'slotMs: number',
  'region_state',
];

/** @returns the replaced words of a line, also inside identifiers such as `readSaid` and `told_change` */
function replacedWords(line) {
  const words = line
    .replaceAll(FOREIGN, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g);
  return [
    ...[...new Set(words)].filter((word) => INSTEAD.has(word)).map((word) => ({ word, instead: INSTEAD.get(word) })),
    ...REPLACED_NAMES.filter(([pattern]) => pattern.test(line)).map(([pattern, instead]) => ({
      word: pattern.exec(line)[0],
      instead,
    })),
  ];
}

function isWanted(path, paths) {
  return (
    paths.length === 0 || paths.some((wanted) => path === wanted || path.startsWith(`${wanted.replace(/\/$/, '')}/`))
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = await checkWords(process.argv.slice(2));
  for (const fault of faults) console.log(fault);
  console.log(`${faults.length} replaced words.`);
}
