import { basename } from 'node:path';
import { readCheckout } from './read-checkout.mjs';

const SOURCES = ['*.ts', '*.tsx', '*.mjs', '*.cjs'];

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
  const sources = (await readCheckout(...SOURCES)).filter(([path]) => !path.startsWith('shared/src/gen/'));
  return sources.flatMap(([path, text]) => [
    ...(EMPTY_NAMES.test(basename(path)) ? [`${path}: name it after what it does.`] : []),
    ...text
      .split('\n')
      .flatMap((line, index) =>
        FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(([, what]) => `${path}:${index + 1} ${what}.`),
      ),
  ]);
}
