import { isAscii, isUtf8 } from 'node:buffer';
import { declaredCharset, knownCharset } from './charset-label.js';
import { declaredInHtml } from './html-charset.js';
import { printable } from './printable.js';

/** How the bytes of a body become text, and what was noticed in finding that out. */
export interface Charset {
  /** A label that TextDecoder knows; `utf-8` exactly for UTF-8. */
  name: string;
  note?: string;
}

const CHARSET = /^\s*charset\s*=\s*(?:"([^"]*)"?|'([^']*)'|([^\s"']+))/i;
const UTF8: Charset = { name: 'utf-8' };

/**
 * Finds the charset of a body as browsers do: a byte order mark, the Content-Type, then what the content declares (HTML:
 * the encoding sniffing of the WHATWG standard; XML: RFC 7303). JSON is UTF-8 (RFC 8259). Undeclared bytes that are
 * not valid UTF-8 are windows-1252, unless more of their characters are valid than not.
 */
export function sniffCharset(bytes: Buffer, contentType: string | undefined): Charset {
  const marked = markOf(bytes);
  if (marked !== null) return { name: marked };
  const { type, charset } = readContentType(contentType ?? '');
  const isJson = /^(?:application|text)\/json$|\+json$/.test(type);
  if (isJson && isWholeUtf8(bytes)) return UTF8;
  const named = charset === null ? null : knownCharset(charset);
  if (named !== null) return { name: named };
  const note =
    charset === null
      ? {}
      : { note: `Its Content-Type names the charset “${printable(charset)}”, which does not exist.` };
  const declared = isJson ? null : declaredIn(bytes, type);
  if (declared !== null) return { name: declared, ...note };
  if (isWholeUtf8(bytes)) return { ...UTF8, ...note };
  const reading = isMostlyUtf8(bytes) ? 'UTF-8' : 'windows-1252';
  return {
    name: reading.toLowerCase(),
    note: `Its body declares no charset and is not valid UTF-8: it is read as ${reading}.`,
  };
}

/** A text of characters in UTF-8 of which a program cut one in half is still read as its author meant it. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const beyondAscii = bytes.toString('utf8').match(/\P{ASCII}/gu) ?? [];
  const invalid = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length > 2 * invalid;
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

function declaredIn(bytes: Buffer, type: string): string | null {
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return declaredInXml(bytes) ?? 'utf-8';
  const isHtml = type === 'text/html' || (type === '' && /^\s*</.test(bytes.toString('latin1', 0, 256)));
  return isHtml ? (declaredInHtml(bytes) ?? declaredInXml(bytes)) : null;
}

/** The encoding of an XML declaration; that of UTF-16 without a mark follows from its first bytes. */
function declaredInXml(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 1_024);
  if (start.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (start.startsWith('\0<\0?\0x')) return 'utf-16be';
  const label = /^<\?xml(?=\s)[^>]*?\sencoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(start);
  return declaredCharset(label?.[1] ?? label?.[2]);
}

/** The type and charset of a Content-Type, which can have several values: the last valid one counts (Fetch standard). */
function readContentType(text: string): { type: string; charset: string | null } {
  let last = { type: '', charset: null as string | null };
  for (const value of splitOutsideQuotes(text, ',')) {
    const [first = '', ...parameters] = splitOutsideQuotes(value, ';');
    const type = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.exec(first.trim())?.[0].toLowerCase();
    if (type === undefined || type === '*/*') continue;
    const charset = parameters.map((parameter) => CHARSET.exec(parameter)).find((match) => match !== null);
    const named = charset ? (charset[1] ?? charset[2] ?? charset[3]!) : null;
    last = { type, charset: named ?? (type === last.type ? last.charset : null) };
  }
  return last;
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  return text.match(separator === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}

/**
 * Whether the bytes are UTF-8, of which the last character may be cut. A single character that is not ASCII, at the very
 * end, is no sign of UTF-8.
 */
function isWholeUtf8(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true;
  for (let cut = 1; cut <= 3 && cut <= bytes.length; cut++) {
    const byte = bytes[bytes.length - cut]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    const rest = bytes.subarray(0, bytes.length - cut);
    return length > cut && isUtf8(rest) && !isAscii(rest);
  }
  return false;
}
