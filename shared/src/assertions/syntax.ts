import { BoundedCache } from '../bounded-cache.js';
import { withoutPlaceholders } from '../steps/placeholders.js';
import { Pattern } from './pattern.js';
import { Query } from './query.js';
import { SyntaxFault } from './syntax-fault.js';

const LANGUAGES = {
  pattern: (source: string) => Pattern.check(source),
  query: (source: string) => void Query.of(source),
};
type Language = keyof typeof LANGUAGES;

/** Longer texts are refused unread. */
const LONGEST = 1_024;
/** As many as a document of the largest size has of those that take long. */
const KNOWN = new BoundedCache<string, { fault: string | null }>(4_000);

/** What is wrong with a pattern of RE2 or a query of RFC 9535, with its column; null: nothing. */
export function syntaxFault(language: Language, source: string): string | null {
  const key = `${language} ${source}`;
  let known = KNOWN.get(key);
  if (known === undefined) KNOWN.set(key, (known = { fault: read(language, source) }));
  return known.fault;
}

function read(language: Language, source: string): string | null {
  try {
    LANGUAGES[language](source);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return `${error.message}, at column ${error.column}`;
  }
}

/**
 * Reads the patterns and queries in what a caller sent before it is validated, which happens without a pause. One takes up to a few ms, and a monitor may have 600.
 * @param pause waits where others have waited long enough
 */
export async function readSyntax(sent: unknown, pause: () => Promise<void>): Promise<void> {
  const found: [Language, string][] = [];
  collect(sent, found);
  for (const [language, source] of found) {
    syntaxFault(language, source);
    await pause();
  }
}

function collect(value: unknown, found: [Language, string][]): void {
  if (typeof value !== 'object' || value === null) return;
  const { source, property, comparison, target, from, expression } = value as Record<string, unknown>;
  const add = (language: Language, text: unknown) => {
    if (typeof text === 'string' && text.length <= LONGEST) found.push([language, text]);
  };
  if (source === 'json') add('query', property);
  if (comparison === 'matches' || comparison === 'notMatches') {
    add('pattern', target);
    if (typeof target === 'string' && target.includes('{{')) add('pattern', withoutPlaceholders(target));
  }
  if (from === 'json') add('query', expression);
  if (from === 'regex') add('pattern', expression);
  for (const each of Object.values(value)) collect(each, found);
}
