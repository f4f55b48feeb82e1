import { StringDecoder } from 'node:string_decoder';
import { ProbeFault } from './probe-fault.js';

const SHOWN_BYTES = 60;

/** The bytes of a setting: UTF-8 text, or `hex:` and pairs of digits with optional spaces. @returns null where they are invalid */
export function readPayload(text: string): Buffer | null {
  if (!text.startsWith('hex:')) return Buffer.from(text);
  const digits = text.slice(4).replaceAll(/\s/g, '');
  return /^(?:[0-9a-f]{2})*$/i.test(digits) ? Buffer.from(digits, 'hex') : null;
}

/** The payloads of a target. @returns a fault where one is invalid */
export function readPayloads(target: {
  send: string | null;
  expect: string | null;
}): { send: Buffer | null; expected: Buffer | null } | ProbeFault {
  const [send, expected] = [target.send, target.expect].map((text) => (text === null ? null : readPayload(text)));
  return (send === null) === (target.send === null) && (expected === null) === (target.expect === null)
    ? { send: send!, expected: expected! }
    : new ProbeFault('invalid_target', { why: 'the text after “hex:” is not pairs of hexadecimal digits' });
}

/**
 * Bytes as evidence: printable text as it is, anything else as `hex:` and digits.
 * @param most the limit in bytes; a character is not cut in two
 */
export function writePayload(bytes: Buffer, most = bytes.length): string {
  const shown = bytes.subarray(0, most);
  const text = shown.length < bytes.length ? new StringDecoder('utf8').write(shown) : shown.toString();
  // Undecodable bytes become U+FFFD, which is rare in real text.
  return /[^\P{Cc}\r\n\t]|\ufffd/u.test(text) ? `hex:${shown.toString('hex')}` : text;
}

/** The start of the bytes for a sentence, in quotes if it is text. */
export function quotePayload(bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  const cut = bytes.length > SHOWN_BYTES;
  const shown = writePayload(bytes, SHOWN_BYTES).replaceAll(/\s+/g, ' ').trim() + (cut ? '…' : '');
  return shown.startsWith('hex:') ? shown : `“${shown}”`;
}
