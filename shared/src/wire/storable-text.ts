// NUL and lone surrogates: PostgreSQL accepts neither in text nor in jsonb, and a failing page can contain them.
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Truncates text to `most` UTF-16 units and replaces characters that PostgreSQL cannot store by U+FFFD. */
export function storableText(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  return cut.replace(UNSTORABLE, '\ufffd');
}
