import { TextDecoder } from 'node:util';

/** The characters of windows-1252 that are not those of Latin-1: 0x80 to 0x9F. */
const OWN_OF_WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The text of bytes. @param charset a label that TextDecoder knows */
export function decodeCharset(charset: string, bytes: Buffer): string {
  // Some versions of Node decode windows-1252 as Latin-1.
  return charset === 'windows-1252'
    ? bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (one) => OWN_OF_WINDOWS_1252[one.charCodeAt(0) - 0x80]!)
    : new TextDecoder(charset).decode(bytes);
}

/** The charset of a declaration that was read as ASCII, so that it cannot be UTF-16. */
export function declaredCharset(label: string | undefined): string | null {
  if (label?.trim().toLowerCase() === 'x-user-defined') return 'windows-1252';
  const known = label === undefined ? null : knownCharset(label);
  return known?.startsWith('utf-16') ? 'utf-8' : known;
}

/** @returns null where no charset has this label */
export function knownCharset(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
