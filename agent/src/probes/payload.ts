import { StringDecoder } from 'node:string_decoder';

const SHOWN_BYTES = 60;

/** Bytes of a setting: text as UTF-8, or `hex:` and pairs of digits, blanks between them. @returns null where they are none */
export function readPayload(text: string): Buffer | null {
  if (!text.startsWith('hex:')) return Buffer.from(text);
  const digits = text.slice(4).replaceAll(/\s/g, '');
  return /^(?:[0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : null;
}

/**
 * Bytes as the evidence shows them: printable text as it is, anything else as `hex:` and digits.
 * @param most bytes of them; a character is not cut in two
 */
export function writePayload(bytes: Buffer, most = bytes.length): string {
  const shown = bytes.subarray(0, most);
  const text = shown.length < bytes.length ? new StringDecoder('utf8').write(shown) : shown.toString();
  // What cannot be decoded becomes U+FFFD, which real text hardly holds.
  return /[^\P{Cc}\r\n\t]|\ufffd/u.test(text) ? `hex:${shown.toString('hex')}` : text;
}

/** The start of some bytes for a sentence, in quotes where it is text. */
export function quotePayload(bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  const cut = bytes.length > SHOWN_BYTES;
  const shown = writePayload(bytes, SHOWN_BYTES).replaceAll(/\s+/g, ' ').trim() + (cut ? '…' : '');
  return shown.startsWith('hex:') ? shown : `“${shown}”`;
}
