/** The names of variables and of values that are extracted from answers. */
const NAME = '[A-Za-z][A-Za-z0-9_]{0,39}';
export const VARIABLE_NAME = new RegExp(`^${NAME}$`);
/** Anything that looks otherwise, such as `{{#if}}`, is text. */
const PLACEHOLDER = new RegExp(String.raw`\{\{[ \t]*(${NAME})[ \t]*\}\}`, 'g');

/** Names that every run has a value for: a moment of ISO 8601, seconds since the epoch, and a UUID. */
export const BUILT_INS: ReadonlySet<string> = new Set(['now', 'timestamp', 'uuid']);

export interface Placeholder {
  name: string;
  /** Where it begins and ends in the text. */
  at: number;
  end: number;
}

/** The placeholders of a text, `{{name}}`, in their order. */
export function placeholdersOf(text: string): Placeholder[] {
  if (!text.includes('{{')) return [];
  return Array.from(text.matchAll(PLACEHOLDER), ({ 0: { length }, 1: name, index }) => ({
    name: name!,
    at: index,
    end: index + length,
  }));
}

/** A text of the same length with something that is valid nearly everywhere in the place of placeholders. */
export function withoutPlaceholders(text: string, filling = 'x'): string {
  return placeholdersOf(text).reduceRight(
    (left, { at, end }) => left.slice(0, at) + filling.repeat(end - at) + left.slice(end),
    text,
  );
}

/** Schemes of `Authorization`. Another word before a placeholder could be a part of a secret. */
const SCHEME = /^(?:ApiKey|Basic|Bearer|DPoP|JWT|Token)[ \t]+/i;

/** Decides whether a value has placeholders and nothing else, except blanks, and the name of a scheme before them. */
export function isOnlyPlaceholders(value: unknown): boolean {
  if (typeof value !== 'string' || placeholdersOf(value).length === 0) return false;
  return withoutPlaceholders(value.replace(SCHEME, ''), ' ').trim() === '';
}

/** The end of scheme, host and port of a URL, in which no placeholder may stand: secrets go to the host that was set, and to no other. */
export function endOfOrigin(url: string): number {
  const [scheme = ''] = /^[^/?#\\]*[/\\]{2}/.exec(url) ?? [];
  const length = url.slice(scheme.length).search(/[/?#\\]/);
  return length === -1 ? url.length : scheme.length + length;
}
