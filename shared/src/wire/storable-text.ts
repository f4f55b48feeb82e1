// NUL and lone surrogates: PostgreSQL takes neither in text nor in jsonb, and a failing page may well contain them.
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Cuts text to `most` UTF-16 units and replaces what PostgreSQL cannot store by U+FFFD. */
export function storableText(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  return cut.replace(UNSTORABLE, '\ufffd');
}
