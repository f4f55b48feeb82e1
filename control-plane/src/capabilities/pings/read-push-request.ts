import { cutText, storableText } from '@watchpost/shared/storable-text';
import { readImportedToken } from '../monitors/index.js';
import type { Ping } from '../heartbeats/index.js';

export const PUSH_PREFIX = '/api/push/';
/** Uptime Kuma takes response times up to this, ms. */
const MOST_PING_MS = 100_000_000_000;
const MOST_MESSAGE = 10_240;

export interface PushReport {
  /** The hash of the token. */
  hash: Buffer;
  kind: Extract<Ping['kind'], 'success' | 'fail'>;
  /** Its `msg` and `ping`; null where it has neither. */
  text: string | null;
}

/**
 * Reads a call as Uptime Kuma does: `status` other than `up` is a failure, and without one it is a success. A `ping` that is no
 * time is ignored: the report is worth more than its form.
 * @returns undefined where the path cannot lead to a monitor
 */
export function readPush(path: string, query: string): PushReport | undefined {
  const hash = readImportedToken(path.slice(PUSH_PREFIX.length));
  if (!hash) return undefined;
  const params = new URLSearchParams(query);
  const status = params.get('status') || 'up';
  const message = storableText(cutText(params.get('msg') ?? '', MOST_MESSAGE)) || null;
  const pingMs = Number.parseFloat(params.get('ping') ?? '');
  const ping = pingMs >= 0 && pingMs <= MOST_PING_MS ? `ping: ${pingMs} ms` : null;
  const lines = [message, ping].filter((line) => line !== null);
  return { hash, kind: status === 'up' ? 'success' : 'fail', text: lines.length === 0 ? null : lines.join('\n') };
}
