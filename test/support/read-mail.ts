import type { ReceivedMail } from './mail-server.js';

/** The visible parts of a mail. */
export interface ReadMail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}

/** Parses a mail as a mail program does (RFC 2045, 2047): decoded text and HTML. */
export function readMail({ to, headers, raw }: Pick<ReceivedMail, 'to' | 'headers' | 'raw'>): ReadMail {
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [raw] : raw.split(`\r\n--${boundary}`).slice(1);
  const of = (type: string) => {
    const part = parts.find((one) => new RegExp(`^content-type: ${type}`, 'im').test(one));
    return part === undefined ? '' : contentOf(part);
  };
  return { to, subject: decodeWords(headers['subject'] ?? ''), text: of('text/plain'), html: of('text/html') };
}

function contentOf(part: string): string {
  const end = part.indexOf('\r\n\r\n');
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(part.slice(0, end))?.[1]?.toLowerCase();
  const body = part.slice(end + 4);
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? unquote(body.replace(/=\r\n/g, ''))
        : body;
  return text.replaceAll('\r\n', '\n');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_word, kind: string, value: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(value, 'base64').toString('utf8') : unquote(value.replaceAll('_', ' ')),
    );
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
