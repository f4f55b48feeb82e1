// Refuses what the design does not have: other sizes and weights of text, other spaces, unknown tokens, and rules that nothing uses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/root.mjs';
import { readCheckout } from './read-checkout.mjs';

const TOKENS = 'shared/src/design/tokens.ts';
/** Plots of measurements are read by us. */
const EXEMPT = /^(?:test|scripts\/verify)\//;
const CONSOLE = 'control-plane/console/src/';

/** Sizes of text in px, as mails and pictures name them, and weights. */
const SIZES = ['13', '14', '16', '20', '28'];
const WEIGHTS = ['400', '600', 'inherit'];
const SIZE = /^(?:var\(--(?:text-(?:xs|s|m|l|xl)|\$\{name\})\)|inherit|1em)$/;

const PLANTED = [
  'a{font-size:15px}',
  'a { font-size: 0.92em; }',
  '<text font-size="11">',
  'a{font:600 11px/1.5 var(--sans)}',
  'a{font:var(--text-3xl) var(--sans)}',
  'a { font-weight: 550; }',
  'b{font-weight:bold}',
  'a { padding: 0.3rem var(--space-2); }',
  'a{gap:6px}',
];
const ALLOWED = [
  'a{font:600 var(--text-s)/var(--leading) var(--sans)}',
  '<p style="font:14px/1.5 system-ui;margin:0 0 16px">',
  'a { margin: -1px 0.25rem 0 auto; }',
  'a { font: inherit; font-weight: 600; padding-left: 1.2em; }',
];

/** @returns the faults */
export async function checkDesign() {
  const blind = [
    ...PLANTED.filter((line) => faultsOf(line).length === 0).map((line) => `The check accepts ${line}`),
    ...ALLOWED.flatMap(faultsOf).map((fault) => `The check refuses what is allowed: ${fault}`),
  ];
  const sources = (await readCheckout('*.ts', '*.tsx', '*.css', '*.mjs')).filter(([path]) => !EXEMPT.test(path));
  const measures = sources.flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => faultsOf(line).map((fault) => `${path}:${index + 1} has ${fault}.`)),
  );
  return [...blind, ...measures, ...(await faultsOfConsole(sources))];
}

/** Finds what a line states that is outside the scale. */
function faultsOf(line) {
  const found = (pattern) => [...line.matchAll(pattern)].map(([, value]) => value.trim());
  return [
    ...found(/\bfont-?[sS]ize\s*[:=]\s*["'{]*(var\([^)]*\)|[\w.%(-]+)/g)
      .filter((size) => !isSize(size))
      .map((size) => `a text of ${size}`),
    ...found(/\bfont:\s*([^;}"'`]+)/g)
      .filter((font) => !font.split(/[\s/]+/).some(isSize))
      .map((font) => `a font ${font}`),
    ...found(/\bfont-?[wW]eight\s*[:=]\s*["'{]*([\w.]+)/g)
      .filter((weight) => !WEIGHTS.includes(weight))
      .map((weight) => `a weight of ${weight}`),
    ...found(/\b(?:margin|padding|gap)(?:-[a-z]+)?:([^;}"'`]+)/g)
      .filter((spaces) => [...spaces.matchAll(/([\d.]+)(rem|px)/g)].some(([, size, unit]) => !isSpace(size, unit)))
      .map((spaces) => `a space of ${spaces}`),
  ];
}

function isSize(text) {
  return SIZE.test(text) || (text.endsWith('px') ? SIZES.includes(text.slice(0, -2)) : SIZES.includes(text));
}

/** Steps of 4 px; 1 px is a line between two. */
function isSpace(size, unit) {
  const px = Number(size) * (unit === 'rem' ? 16 : 1);
  return px % 4 === 0 || px === 1;
}

/** Tokens that are not there, and classes that nothing has. */
async function faultsOfConsole(sources) {
  const tokens = await readFile(join(ROOT, TOKENS), 'utf8');
  const own = sources.filter(([path]) => path.startsWith(CONSOLE));
  const all = own.map(([, text]) => text).join('\n');
  const code = own.flatMap(([path, text]) => (path.endsWith('.css') ? [] : [text])).join('\n');
  const isKnown = (name) =>
    new RegExp(`^  '?${name}'?: `, 'm').test(tokens) || all.includes(`--${name}:`) || code.includes(`'--${name}'`);
  const words = new Set(code.match(/[a-zA-Z][\w-]*/g));
  const starts = [...code.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, start]) => start);
  const isUsed = (name) => words.has(name) || starts.some((start) => name.startsWith(start));
  return own.flatMap(([path, text]) => {
    if (!path.endsWith('.css')) return [];
    const rules = text.replace(/\/\*.*?\*\//gs, '');
    const uses = [...new Set([...rules.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name))];
    const selectors = rules.replace(/\{[^{}]*\}/g, ' ');
    const classes = [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))];
    return [
      ...uses.filter((name) => !isKnown(name)).map((name) => `${path} uses ${name}, which is no token.`),
      ...classes.filter((name) => !isUsed(name)).map((name) => `${path} has a rule of .${name}, which nothing has.`),
    ];
  });
}
