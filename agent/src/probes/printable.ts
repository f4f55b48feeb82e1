/** The first line, at most 40 characters, with `?` for unprintable ones. */
export function printable(text: string): string {
  return text
    .split(/[\r\n]/)[0]!
    .slice(0, 40)
    .replaceAll(/[^\x20-\x7e]/g, '?');
}
