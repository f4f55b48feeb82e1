import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Certificates, PeerCredential, ServerCertificate } from '../../../platform/grpc/index.js';
import type { AgentIdentity } from '../agents/agent-connection.js';
import type { Fleet } from '../fleet.js';
import { CertificateAuthority, agentUri } from './certificate-authority.js';
import { findAgentByCertificate, recordFirstUse } from './certificate-store.js';
import { CERTIFICATE_TIMES, type CertificateTimes } from './certificate-times.js';
import { enrollAgent, type Enrolled, type EnrolmentRefusal } from './enroll-agent.js';
import { X509Certificate } from 'node:crypto';
import { isUuid } from '@watchpost/shared/id';

export interface AgentCertificatesOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  secretBox: SecretBox;
  fleet: Pick<Fleet, 'admit'>;
  times?: Partial<CertificateTimes>;
}

const ENROLMENT_OUTCOMES = ['enrolled', 'renewed', 'unknownAgent', 'revoked', 'malformed'] as const;

/** Issues the agents' certificates and authenticates agents by them. */
export class AgentCertificates implements Certificates {
  private readonly times: CertificateTimes;
  private readonly logger: Logger;
  private readonly countEnrolment: (outcome: (typeof ENROLMENT_OUTCOMES)[number]) => void;
  private refreshing: Promise<CertificateAuthority> | undefined;

  private constructor(
    private readonly options: AgentCertificatesOptions,
    private authority: CertificateAuthority,
  ) {
    this.times = { ...CERTIFICATE_TIMES, ...options.times };
    this.logger = options.logger.child({ module: 'certificates' });
    this.countEnrolment = metricsOn(options.registry).countedBy(
      'outcome',
      ENROLMENT_OUTCOMES,
      'watchpost_agent_enrolments_total',
      'Requests of agents for a certificate, by outcome',
    );
  }

  /** @throws SecretBoxError if the authority's key cannot be opened */
  static async open(options: AgentCertificatesOptions): Promise<AgentCertificates> {
    return new AgentCertificates(options, await CertificateAuthority.open(options));
  }

  get authorities(): readonly Buffer[] {
    return this.authority.certificates.map(({ raw }) => raw);
  }

  get edition(): string {
    return this.authority.edition;
  }

  async refresh(): Promise<void> {
    // One read at a time, because connections without a valid certificate can cause it.
    this.refreshing ??= CertificateAuthority.open(this.options).finally(() => (this.refreshing = undefined));
    this.authority = await this.refreshing;
  }

  examine(certificate: Buffer): PeerCredential {
    const { certificates, edition } = this.authority;
    return examineCertificate(certificate, { certificates, edition }, this.options.clock.now());
  }

  async authenticateCertificate(agentId: string, serial: Buffer): Promise<AgentIdentity | 'unknown' | 'revoked'> {
    const { db, clock } = this.options;
    const row = await db.read((tx) => findAgentByCertificate(tx, agentId, serial));
    if (row && !row.isUsed) await db.transaction((tx) => recordFirstUse(tx, serial, clock.now()));
    return row ? this.options.fleet.admit(row) : 'unknown';
  }

  async enroll(request: { token: string; csr: Buffer }, peer: PeerCredential): Promise<Enrolled | EnrolmentRefusal> {
    const { db, clock } = this.options;
    if (peer.kind === 'foreign' && request.token === '') await assertCurrent(this, peer);
    const answer = await enrollAgent({ db, clock, authority: this.authority, times: this.times }, request, peer);
    if ('refused' in answer) {
      this.countEnrolment(answer.refused);
      this.logger.warn({ refused: answer.refused, reason: answer.message }, 'an agent was refused a certificate');
      return answer;
    }
    const { agent, enrolled } = answer;
    const outcome = request.token === '' ? 'renewed' : 'enrolled';
    this.countEnrolment(outcome);
    this.logger.info(
      {
        agentId: agent.id,
        region: agent.region,
        agentName: agent.name,
        outcome,
        expires: new Date(enrolled.expiresMs).toISOString(),
      },
      'an agent has a new certificate',
    );
    return enrolled;
  }

  async issueServerCertificate(hosts: readonly string[]): Promise<ServerCertificate> {
    const { lifeMs, backdateMs } = this.times;
    const now = this.options.clock.now();
    const validity = { notBeforeMs: now - backdateMs, notAfterMs: now + lifeMs };
    const { certificate, key } = await this.authority.issueForServer(hosts, validity);
    // The chain contains the authorities: an agent that knows only a hash takes the certificate from here.
    const chain = [certificate, ...this.authorities].map((der) => pem('CERTIFICATE', der));
    return { certificate: chain.join(''), key: pem('PRIVATE KEY', key), expiresMs: validity.notAfterMs };
  }
}

/**
 * Checks that a foreign certificate was compared with the present authorities.
 * @throws Error if there are others now: the certificate may be of a new one, which the next handshake finds out
 */
export async function assertCurrent(certificates: AgentCertificates, { edition }: { edition: string }): Promise<void> {
  await certificates.refresh();
  if (certificates.edition !== edition) throw new Error('The authorities have changed.');
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const URI = `URI:${agentUri('')}`;

/**
 * Classifies an agent's certificate by its issuer, purpose and validity, without the database. The TLS handshake has
 * already proved that the peer has the private key.
 */
function examineCertificate(
  der: Buffer,
  { certificates, edition }: { certificates: readonly X509Certificate[]; edition: string },
  nowMs: number,
): PeerCredential {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(der);
  } catch {
    return { kind: 'foreign', edition };
  }
  const isTrusted = certificates.some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
  const name = certificate.subjectAltName ?? '';
  const agentId = name.startsWith(URI) ? name.slice(URI.length) : '';
  const isForAgents = !certificate.ca && (certificate.keyUsage ?? []).join() === CLIENT_AUTH && isUuid(agentId);
  if (!isTrusted || !isForAgents || Date.parse(certificate.validFrom) > nowMs) return { kind: 'foreign', edition };
  const expiresMs = Date.parse(certificate.validTo);
  const serial = Buffer.from(certificate.serialNumber, 'hex');
  return { kind: expiresMs > nowMs ? 'valid' : 'expired', agentId, serial, expiresMs };
}
