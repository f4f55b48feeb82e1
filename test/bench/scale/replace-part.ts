/**
 * Replaces a generated part of a Markdown document, between `<!-- NAME -->` and `<!-- end of NAME -->`.
 * @throws Error when the document has no such part
 */
export function replacePart(document: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document has no part between ${begin} and ${end}`);
  return `${document.slice(0, from)}${begin}\n\n${part}\n\n${document.slice(to)}`;
}
