import type { IncomingMessage } from 'node:http';
import { cutText, storableText } from '@watchpost/shared/storable-text';
import { readPingToken } from '../monitors/index.js';
import type { Ping } from '../heartbeats/index.js';

const KIB = 1_024;
/** Of a longer body the rest is read and thrown away. */
const READ_BYTES = 100 * KIB;
/** The last part of what is read is kept. */
const KEPT_BYTES = 10 * KIB;
const RID = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_AGENT = 300;

export interface PingAddress {
  /** The hash of the token. */
  hash: Buffer;
  kind: Ping['kind'];
  exitCode: number | null;
}

/** @returns what a path below `/ping/` asks for; undefined where that is nothing */
export function readPingPath(path: string): PingAddress | undefined {
  const [token = '', action, ...more] = path.slice('/ping/'.length).split('/');
  const hash = readPingToken(token);
  if (!hash || more.length > 0) return undefined;
  switch (action) {
    case undefined:
      return { hash, kind: 'success', exitCode: null };
    case 'start':
    case 'fail':
    case 'log':
      return { hash, kind: action, exitCode: null };
    default: {
      if (!/^\d{1,3}$/.test(action) || Number(action) > 255) return undefined;
      const exitCode = Number(action);
      return { hash, kind: exitCode === 0 ? 'success' : 'fail', exitCode };
    }
  }
}

/** The run that a ping belongs to. One that is malformed is ignored: a ping is worth more than its form. */
export function readRid(query: string): string | null {
  const rid = new URLSearchParams(query).get('rid');
  return rid !== null && RID.test(rid) ? rid : null;
}

export function readUserAgent({ headers }: IncomingMessage): string | null {
  const agent = headers['user-agent'];
  return agent === undefined ? null : storableText(cutText(agent, MOST_AGENT));
}

/** The part of a body that is kept, as text; null where there is none. Rejects where the caller hangs up. */
export async function readPingBody(request: IncomingMessage): Promise<string | null> {
  let size = 0;
  let kept: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, Math.max(0, READ_BYTES - size));
    size += part.length;
    if (part.length > 0) kept.push(part);
    if (kept.length > 32) kept = [tailOf(kept)];
  }
  return kept.length === 0 ? null : textOf(tailOf(kept), size > KEPT_BYTES);
}

function tailOf(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(parts);
  return whole.subarray(Math.max(0, whole.length - KEPT_BYTES));
}

/** PostgreSQL stores no U+0000. Where the text was cut within a character, its rest is left out. */
function textOf(bytes: Buffer, isCut: boolean): string {
  const isRest = (byte: number) => (byte & 0xc0) === 0x80;
  const from = isCut
    ? Math.max(
        0,
        bytes.subarray(0, 4).findIndex((byte) => !isRest(byte)),
      )
    : 0;
  return storableText(bytes.subarray(from).toString());
}
