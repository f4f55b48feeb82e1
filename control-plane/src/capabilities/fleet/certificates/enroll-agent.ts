import { createHash } from 'node:crypto';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import type { PeerCredential } from '../../../platform/grpc/index.js';
import type { StreamEndReason } from '../agents/agent-connection.js';
import { findAgentByTokenHash, type AgentRow } from '../agents/agent-store.js';
import { hashAgentToken } from '../agents/agent-token.js';
import type { CertificateAuthority } from './certificate-authority.js';
import {
  deleteCertificates,
  findAgentByCertificate,
  deleteOlderCertificates,
  lockAgentCertificate,
  insertCertificate,
  spendToken,
} from './certificate-store.js';
import { RENEW_AFTER, type CertificateTimes } from './certificate-times.js';
import 'reflect-metadata';
import { Pkcs10CertificateRequest } from '@peculiar/x509';

export interface Enrolled {
  certificate: Buffer;
  authorities: readonly Buffer[];
  renewAfterMs: number;
  expiresMs: number;
}

export interface EnrolmentRefusal {
  refused: Extract<StreamEndReason, 'unknownAgent' | 'revoked' | 'malformed'>;
  message: string;
}

export interface EnrolmentDeps {
  db: Database;
  clock: Clock;
  authority: CertificateAuthority;
  times: CertificateTimes;
}

const REVOKED: EnrolmentRefusal = {
  refused: 'revoked',
  message: 'This agent was revoked: make a new one with `admin agents create`.',
};

/**
 * Issues a certificate for the key of an agent's request. The agent authenticates by its one-time token, or renews by the
 * certificate of its connection. A used token is accepted again with the same key, because answers can get lost.
 */
export async function enrollAgent(
  deps: EnrolmentDeps,
  request: { token: string; csr: Buffer },
  peer: PeerCredential,
): Promise<{ agent: AgentRow; enrolled: Enrolled } | EnrolmentRefusal> {
  const { db, clock, authority, times } = deps;
  const byToken = request.token !== '';
  const found = byToken ? await agentOfToken(deps, request.token) : await agentOfCertificate(deps, peer);
  if ('refused' in found) return found;
  if (found.status === 'revoked') return REVOKED;
  const publicKey = await readCertificateRequest(request.csr);
  if (!publicKey)
    return {
      refused: 'malformed',
      message: `The certificate request takes PKCS #10 in DER, at most ${MAX_CERTIFICATE_REQUEST_BYTES} bytes, signed by the P-256 key that it names.`,
    };

  const now = clock.now();
  const expiresMs = Math.floor((now + times.lifeMs) / 1_000) * 1_000;
  const validity = { notBeforeMs: now - times.backdateMs, notAfterMs: expiresMs };
  const { certificate, serial, authorityId } = await authority.issueForAgent(found.id, publicKey, validity);
  const refusal = await db.transaction(async (tx): Promise<EnrolmentRefusal | undefined> => {
    if (byToken) {
      const keyHash = createHash('sha256').update(publicKey).digest();
      const tokenHash = hashAgentToken(request.token);
      if (!(await spendToken(tx, found.id, { tokenHash, keyHash }, now))) return SPENT;
      // An enrolment ends all former certificates, which another machine may still have.
      await deleteCertificates(tx, found.id);
    } else if (!('serial' in peer) || !(await lockAgentCertificate(tx, found.id, peer.serial))) return ENDED;
    if (!(await insertCertificate(tx, found.id, { serial, expiresMs, authorityId }, now))) return REVOKED;
    await deleteOlderCertificates(tx, found.id, 'serial' in peer ? peer.serial : serial);
    return undefined;
  });
  if (refusal) return refusal;
  const authorities = authority.certificates.map(({ raw }) => raw);
  return {
    agent: found,
    enrolled: { certificate, authorities, expiresMs, renewAfterMs: now + times.lifeMs * RENEW_AFTER },
  };
}

const SPENT: EnrolmentRefusal = {
  refused: 'unknownAgent',
  message:
    'This token was used before, with another key. Where that was this agent, before its data was lost: `admin agents reissue`. ' +
    'Where it was not, somebody else has the token: `admin agents revoke`.',
};

const ENDED: EnrolmentRefusal = {
  refused: 'unknownAgent',
  message: 'This certificate is not valid any more: the agent has enrolled again since, or is gone.',
};

async function agentOfToken({ db }: EnrolmentDeps, token: string): Promise<AgentRow | EnrolmentRefusal> {
  const found = await db.read((tx) => findAgentByTokenHash(tx, hashAgentToken(token)));
  return found ?? { refused: 'unknownAgent', message: 'No agent has this token.' };
}

async function agentOfCertificate(
  { db, clock, times }: EnrolmentDeps,
  peer: PeerCredential,
): Promise<AgentRow | EnrolmentRefusal> {
  if (peer.kind === 'none')
    return { refused: 'unknownAgent', message: 'Send a token, or renew over a connection that shows a certificate.' };
  if (peer.kind === 'foreign')
    return { refused: 'unknownAgent', message: 'The certificate is not of this control plane’s authority.' };
  if (peer.kind === 'expired' && clock.now() > peer.expiresMs + times.renewalGraceMs)
    return {
      refused: 'unknownAgent',
      message:
        'The certificate expired too long ago to be renewed: `admin agents reissue` gives the agent a new token.',
    };
  const found = await db.read((tx) => findAgentByCertificate(tx, peer.agentId, peer.serial));
  return found ?? ENDED;
}

/** A request of the agent has about 250 bytes. */
const MAX_CERTIFICATE_REQUEST_BYTES = 4_096;
/** The SPKI of an uncompressed point on P-256 (RFC 5480) consists of this prefix and 64 bytes. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');
const P256_SPKI_BYTES = P256_PREFIX.length + 64;

/**
 * Reads the public key of a certificate request and verifies that the sender has the private key. Other content of the
 * request (names, extensions) is ignored.
 * @returns SPKI in DER; undefined if it is not a request, has another kind of key, or is not signed by that key
 */
async function readCertificateRequest(der: Buffer): Promise<Buffer | undefined> {
  if (der.length === 0 || der.length > MAX_CERTIFICATE_REQUEST_BYTES) return undefined;
  try {
    const request = new Pkcs10CertificateRequest(der);
    const publicKey = Buffer.from(request.publicKey.rawData);
    const isP256 =
      publicKey.length === P256_SPKI_BYTES && publicKey.subarray(0, P256_PREFIX.length).equals(P256_PREFIX);
    return isP256 && (await request.verify()) ? publicKey : undefined;
  } catch {
    // The parser throws errors of many kinds. All mean that the request is malformed.
    return undefined;
  }
}
