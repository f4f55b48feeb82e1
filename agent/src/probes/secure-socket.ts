import { constants, X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { isCurrent, isNamed } from './certificate-summary.js';
import type { Deadline } from './deadline.js';
import { indexRoots, judgeChain, type TrustedRoots } from './judge-chain.js';
import { peerChain } from './peer-chain.js';
import { ProbeFault } from './probe-fault.js';
import { refusalOf } from './refusal.js';
import { certificateFault, tlsFault } from './tls-fault.js';

/** One context for each kind of verification: creating one for each check costs more than the handshake. */
export interface SecureContexts {
  verified: SecureContext;
  unverified: SecureContext;
  /** For inspecting certificates: accepts old protocols, and has the authorities to complete chains. */
  inspecting: SecureContext;
  /** Those with a certificate of the client, which is made at its first use. */
  own(certificate: ClientCertificate, verify: boolean): SecureContext;
  /** The authorities of `verified`, parsed at their first use. */
  roots(): TrustedRoots;
  /**
   * The time of the control plane, ms. OpenSSL judges the dates of certificates by the clock of the machine: where the two
   * disagree about a certificate, it is not known which one is wrong, and the check is inconclusive.
   */
  now(): number;
}

/** Certificates are not valid to the second: a smaller difference of the clocks does not matter. */
const CLOCK_TOLERANCE_MS = 60_000;

const EVERY_CONTEXT = {
  /**
   * Old servers lack the extension that protects renegotiations (RFC 5746). Browsers accept them; this agent never
   * renegotiates.
   */
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  /**
   * The groups of OpenSSL 3.0. OpenSSL 3.5 adds a key of X25519MLKEM768 to each handshake, which costs a fifth of its CPU
   * and makes its first message too long for one packet: see docs/decisions/0079-node-26-is-shipped.md.
   */
  ecdhCurve: 'X25519:P-256:X448:P-521:P-384:ffdhe2048:ffdhe3072',
};
/** OpenSSL 3.5 raises its default level of security; with this one, the verdict does not depend on the version of Node. */
const VERIFIED_CIPHERS = `${DEFAULT_CIPHERS}:@SECLEVEL=1`;
const OFFERED = { verified: '1.2 and 1.3', unverified: '1.0 to 1.3' };

/** Protocols within TLS (RFC 7301), the preferred one first, and their names. */
export const HTTP1 = { ids: ['http/1.1'], name: 'HTTP/1.1' };
/** Other services have no names for theirs. */
export const NO_PROTOCOL = { ids: [] as string[], name: 'no protocol' };
export const HTTP2 = { ids: ['h2'], name: 'HTTP/2' };
export const ANY_HTTP = { ids: [...HTTP2.ids, ...HTTP1.ids], name: `${HTTP2.name} or ${HTTP1.name}` };

/** The other end of a handshake, and what the check asks of it. */
export interface SecurePeer {
  /** The host of the URL, without brackets. */
  host: string;
  address: string;
  verify: boolean;
  protocols: typeof HTTP1;
  /** The server may ask for it. */
  certificate?: ClientCertificate | undefined;
}

/** A certificate of the client with its key, both in PEM. */
interface ClientCertificate {
  certificate: string;
  key: string;
}

/** @param extraCertificates PEM of authorities to trust beside the public ones */
export function createSecureContexts(extraCertificates: readonly string[], now: () => number): SecureContexts {
  const ca = extraCertificates.length > 0 ? { ca: [...rootCertificates, ...extraCertificates] } : {};
  // Monitors without verification are for old devices, which need old ciphers, too.
  const old = { ...EVERY_CONTEXT, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  const verified = { ...ca, ...EVERY_CONTEXT, ciphers: VERIFIED_CIPHERS };
  let roots: TrustedRoots | null = null;
  const own = new WeakMap<ClientCertificate, SecureContext>();
  return {
    verified: createSecureContext(verified),
    unverified: createSecureContext(old),
    inspecting: createSecureContext({ ...ca, ...old }),
    own(certificate, verify) {
      // The choice to verify belongs to the same target, and never changes for it.
      const { certificate: cert, key } = certificate;
      const known = own.get(certificate) ?? createSecureContext({ ...(verify ? verified : old), cert, key });
      own.set(certificate, known);
      return known;
    },
    now,
    roots: () => (roots ??= indexRoots([...rootCertificates, ...extraCertificates])),
  };
}

/**
 * A full TLS handshake on a connected socket; sessions are never resumed.
 * @param onRefused called with a certificate that does not verify
 */
export function secureSocket(
  raw: Socket,
  { host, address, verify, protocols, certificate: own }: SecurePeer,
  contexts: SecureContexts,
  deadline: Deadline,
  onRefused: (certificate: X509Certificate) => void,
): Promise<TLSSocket | ProbeFault> {
  const peer = { address, host, offered: verify ? OFFERED.verified : OFFERED.unverified, protocol: protocols.name };
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  const secureContext = own ? ownContext(own, verify, contexts) : verify ? contexts.verified : contexts.unverified;
  if (secureContext instanceof ProbeFault) {
    raw.destroy();
    return Promise.resolve(secureContext);
  }
  return new Promise((resolve) => {
    const socket = connect({
      socket: raw,
      host: name,
      // RFC 6066 §3: addresses are not sent.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: protocols.ids,
      secureContext,
      // The certificate is verified nevertheless; the connection stays open so that it can be read.
      rejectUnauthorized: false,
      checkServerIdentity: verify ? checkIdentity : skipIdentity,
    });
    // To check a name, Node converts the whole chain into objects: a third of the handshake's CPU. The parsed certificate is
    // sufficient. It is kept, because in Node 20 it can be read only once.
    let certificate: X509Certificate | undefined;
    const readOnce = socket.getPeerX509Certificate.bind(socket);
    const readCertificate = (): X509Certificate | undefined => (certificate ??= readOnce());
    socket.getPeerX509Certificate = readCertificate;
    socket.getPeerCertificate = readCertificate as unknown as TLSSocket['getPeerCertificate'];

    let isSettled = false;
    const settle = (result: TLSSocket | ProbeFault): void => {
      if (isSettled) return;
      isSettled = true;
      deadline.leave();
      if (result instanceof ProbeFault) socket.destroy();
      resolve(result);
    };
    const onSecure = (): void => {
      if (isSettled) return;
      const nowMs = contexts.now();
      const clocksDiffer = differsFromMachine(nowMs);
      const refusal = verify ? refusalOf(socket) : null;
      if (refusal === null && !(verify && clocksDiffer)) return settle(socket);
      const leaf = readCertificate();
      if (refusal === null) {
        const isDisputed = leaf !== undefined && !isCurrent(leaf, nowMs);
        return settle(isDisputed ? new ProbeFault('agent_clock_disputed', { host: peer.host }) : socket);
      }
      if (leaf) onRefused(leaf);
      const chain = judgeChain(peerChain(leaf), contexts.roots(), nowMs);
      settle(certificateFault(refusal, chain, nowMs, peer));
    };
    // The listeners stay: removing one turns those of the socket into a slow object, and an error after the end of the check
    // must not end the process.
    socket.on('secureConnect', onSecure);
    socket.on('error', (error: Error) => settle(tlsFault(error, peer)));
    socket.on('close', () => {
      if (!isSettled) settle(tlsFault(Object.assign(new Error('closed'), { code: 'ECONNRESET' }), peer));
    });
    deadline.enter({ timeoutKey: 'tls_timeout', timeoutValues: () => ({ address }), cancel: settle });
  });
}

/** OpenSSL refuses some that can be read, as those with a short key. */
function ownContext(
  certificate: ClientCertificate,
  verify: boolean,
  contexts: SecureContexts,
): SecureContext | ProbeFault {
  try {
    return contexts.own(certificate, verify);
  } catch (error) {
    const { reason, code } = error as NodeJS.ErrnoException & { reason?: string };
    return new ProbeFault('invalid_target', { why: `its client certificate cannot be used (${reason ?? code})` });
  }
}

/** The certificate of the other end of a `secureSocket`. */
export function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  return (socket.getPeerCertificate as unknown as () => X509Certificate | undefined)();
}

/** Whether this time differs from that of the machine, by which OpenSSL judges dates. */
export function differsFromMachine(nowMs: number): boolean {
  return Math.abs(nowMs - Date.now()) > CLOCK_TOLERANCE_MS;
}

/** Checks the name by RFC 9525, where Node passes the parsed certificate from above. */
function checkIdentity(host: string, certificate: PeerCertificate | X509Certificate): Error | undefined {
  if (!(certificate instanceof X509Certificate)) return checkServerIdentity(host, certificate);
  return isNamed(certificate, host)
    ? undefined
    : Object.assign(new Error('wrong host'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}

function skipIdentity(): undefined {
  return undefined;
}
