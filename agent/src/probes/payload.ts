const SHOWN_BYTES = 60;

/** Bytes of a setting: text as UTF-8, or `hex:` and pairs of digits, blanks between them. @returns null where they are none */
export function readPayload(text: string): Buffer | null {
  if (!text.startsWith('hex:')) return Buffer.from(text);
  const digits = text.slice(4).replaceAll(/\s/g, '');
  return /^(?:[0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : null;
}

/** Bytes as the evidence shows them: printable text as it is, anything else as `hex:` and digits. */
export function writePayload(bytes: Buffer): string {
  const text = bytes.toString();
  // What cannot be decoded becomes U+FFFD, which real text hardly holds.
  return /[^\P{Cc}\r\n\t]|\ufffd/u.test(text) ? `hex:${bytes.toString('hex')}` : text;
}

/** The start of some bytes for a sentence, in quotes where it is text. */
export function quotePayload(bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  const cut = bytes.length > SHOWN_BYTES;
  const shown = writePayload(bytes.subarray(0, SHOWN_BYTES)).replaceAll(/\s+/g, ' ').trim() + (cut ? '…' : '');
  return shown.startsWith('hex:') ? shown : `“${shown}”`;
}
