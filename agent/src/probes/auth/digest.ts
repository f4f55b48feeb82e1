import { createHash } from 'node:crypto';

/** A challenge of the scheme Digest (RFC 7616 §3.3), by the lower-case names of its parameters. */
export type Challenge = ReadonlyMap<string, string>;

export interface DigestRequest {
  username: string;
  password: string;
  method: string;
  /** The target of the request line. */
  uri: string;
  cnonce: string;
  /** The number of uses of the nonce, this one included. */
  count: number;
}

const HASHES: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256', 'sha-512-256': 'sha512-256' };
/** A scheme, or a parameter of the last one. */
const PART = /([^\s=",]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*)))?/g;

/** The challenges of Digest among those of a server, in its order of preference. */
export function digestChallenges(headers: readonly string[]): Challenge[] {
  const challenges: Challenge[] = [];
  let current: Map<string, string> | null = null;
  for (const [, name = '', quoted, bare] of headers.join(', ').matchAll(PART)) {
    if (quoted === undefined && bare === undefined) {
      current = name.toLowerCase() === 'digest' ? new Map() : null;
      if (current) challenges.push(current);
    } else current?.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? bare!);
  }
  return challenges;
}

/** @returns why the challenge cannot be met, as the end of a sentence; null: it can */
export function challengeFault(challenge: Challenge): string | null {
  const algorithm = challenge.get('algorithm') ?? 'MD5';
  if (hashOf(algorithm) === undefined) return `it asks for the algorithm ${algorithm}`;
  if (!challenge.has('realm') || !challenge.has('nonce')) return 'its challenge has no realm or no nonce';
  if ([...challenge.values()].some((value) => /[^ -~\x80-\xff]/.test(value)))
    return 'its challenge has control characters';
  const qop = challenge.get('qop');
  return qop === undefined || qopsOf(qop).includes('auth') ? null : `it asks for the protection ${qop}`;
}

/** The value of `Authorization` that answers a challenge; without `qop`, as RFC 2069 has it. */
export function digestAuthorization(challenge: Challenge, request: DigestRequest): string {
  const { username, password, method, uri, cnonce, count } = request;
  const algorithm = challenge.get('algorithm') ?? 'MD5';
  const hash = (text: string): string => createHash(hashOf(algorithm)!).update(text).digest('hex');
  const [realm, nonce] = [challenge.get('realm')!, challenge.get('nonce')!];
  const own = hash(`${username}:${realm}:${password}`);
  const secret = algorithm.toLowerCase().endsWith('-sess') ? hash(`${own}:${nonce}:${cnonce}`) : own;
  const nc = count.toString(16).padStart(8, '0');
  const isCounted = challenge.has('qop');
  const middle = isCounted ? `${nonce}:${nc}:${cnonce}:auth` : nonce;
  const isHashed = challenge.get('userhash')?.toLowerCase() === 'true';
  const isPlain = isHashed || /^[ -~]*$/.test(username);
  const name = isHashed ? hash(`${username}:${realm}`) : username;
  const parts = [
    isPlain ? `username=${quoted(name)}` : `username*=UTF-8''${encodeURIComponent(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${hash(`${secret}:${middle}:${hash(`${method}:${uri}`)}`)}"`,
    ...(challenge.has('algorithm') ? [`algorithm=${algorithm}`] : []),
    ...(isCounted ? ['qop=auth', `nc=${nc}`] : []),
    ...(isCounted || secret !== own ? [`cnonce=${quoted(cnonce)}`] : []),
    ...(challenge.has('opaque') ? [`opaque=${quoted(challenge.get('opaque')!)}`] : []),
    ...(isHashed ? ['userhash=true'] : []),
  ];
  return `Digest ${parts.join(', ')}`;
}

function hashOf(algorithm: string): string | undefined {
  const name = algorithm.toLowerCase().replace(/-sess$/, '');
  return Object.hasOwn(HASHES, name) ? HASHES[name] : undefined;
}

function qopsOf(qop: string): string[] {
  return qop.toLowerCase().split(/[\s,]+/);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
