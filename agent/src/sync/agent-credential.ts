import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates } from 'node:tls';
import { credentials, Metadata, status, type ChannelCredentials } from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import type { Enrollment, EnrollRequest } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import { credentialOf, type AgentToken } from './agent-token.js';
import { certificateRequest, newAgentKey } from './certificate-request.js';
import { readCredential, writeCredential, type StoredCredential } from './credential-file.js';
import { certificatePem, findAuthority } from './find-authority.js';

export interface AgentCredentialOptions {
  isTls: boolean;
  /** null: what is on disk must do. */
  token: AgentToken | null;
  path: string;
  /** PEM of authorities of the operator's own; null: none. */
  extraRoots: string | null;
  clock: Clock;
  logger: Logger;
  version: string;
}

/** How an attempt to get a certificate ended: like a stream that ended, where it failed. */
export interface CredentialFault {
  code: number;
  details: string;
}

/** Asks the control plane; rejects with a gRPC status. */
export type Enroll = (request: EnrollRequest) => Promise<Enrollment>;

/**
 * What the agent shows the control plane. Over TLS that is a certificate: made for the token once, kept on disk, and
 * renewed long before it expires; on loopback without TLS the token itself.
 */
export class AgentCredential {
  /** Whose the data folder is. */
  readonly name: string;
  private readonly isTls: boolean;
  private stored: StoredCredential | undefined;
  private isSaved = true;
  /** The control plane has none to give: older than certificates, or behind a proxy that ends TLS. */
  private showsToken: boolean;
  private mustRenew = false;

  /** @throws Error where there is neither a token nor a certificate */
  constructor(private readonly options: AgentCredentialOptions) {
    const { isTls, token, path } = options;
    this.isTls = isTls;
    this.showsToken = !this.isTls;
    const stored = this.isTls ? readCredential(path) : undefined;
    const name = token ? credentialOf(token.secret) : stored?.certificate ? stored.credential : undefined;
    if (name === undefined) throw new Error('there is neither a token nor a certificate');
    this.name = name;
    // a certificate that another token was spent for is another agent's, or this one's of before
    this.stored = stored?.credential === name ? stored : undefined;
  }

  /** ms since the epoch, by the control plane's clock; null: there is no certificate. */
  get expiresMs(): number | null {
    return this.stored?.certificate ? this.stored.expiresMs : null;
  }

  get isRenewalDue(): boolean {
    if (!this.isTls || !this.stored?.certificate) return false;
    return this.mustRenew || this.options.clock.now() >= this.stored.renewAfterMs;
  }

  /** Whether a stream has to wait for a certificate. */
  get isReady(): boolean {
    if (!this.isTls) return true;
    const { stored } = this;
    return Boolean(stored?.certificate) && !this.mustRenew && this.options.clock.now() < stored!.expiresMs;
  }

  /** How long until the next look at renewal is worth it, ms. */
  get nextLookMs(): number {
    const now = this.options.clock.now();
    const { renewAfterMs = 0, expiresMs = 0 } = this.stored ?? {};
    const leftMs = now < renewAfterMs ? renewAfterMs - now : (expiresMs - now) / 10;
    return Math.min(60_000, Math.max(1_000, leftMs));
  }

  /** The control plane says that the certificate has expired: its clock is the one that counts. */
  expired(): void {
    this.mustRenew = true;
  }

  /** For a new connection. */
  channel(): ChannelCredentials {
    if (!this.isTls) return credentials.createInsecure();
    const { stored } = this;
    const { extraRoots } = this.options;
    const own = stored?.certificate ? { key: stored.key, cert: stored.certificate } : {};
    // Naming authorities replaces the ones that Node trusts by itself: they are named, too.
    const ca = stored?.authorities.length
      ? { ca: [...rootCertificates, ...(extraRoots === null ? [] : [extraRoots]), ...stored.authorities] }
      : {};
    return credentials.createFromSecureContext(createSecureContext({ ...own, ...ca, minVersion: 'TLSv1.2' }));
  }

  metadata(): Metadata {
    const metadata = new Metadata();
    const { token } = this.options;
    if (token && this.showsToken) metadata.set('authorization', `Bearer ${token.secret}`);
    return metadata;
  }

  /**
   * Finds whom to trust, where the token tells how, and makes a key.
   * @param url where it looks: at each address, until one presents the authority that the token names
   * @returns whether what a new connection would be made with has changed
   */
  async begin(url: URL): Promise<CredentialFault | boolean> {
    const { token, logger, path } = this.options;
    if (this.stored?.key && (this.stored.authorities.length > 0 || !token?.authorityPin)) return false;
    let authority: string | undefined;
    if (token?.authorityPin) {
      try {
        authority = await findAuthority(url, token.authorityPin);
      } catch (error) {
        return { code: status.UNAVAILABLE, details: (error as Error).message };
      }
      if (!authority) logger.info('the server presents another authority than the token names: public ones count');
    }
    const fresh: StoredCredential = {
      credential: this.name,
      key: this.stored?.key ?? newAgentKey(),
      certificate: this.stored?.certificate ?? null,
      authorities: authority ? [authority] : [],
      renewAfterMs: this.stored?.renewAfterMs ?? 0,
      expiresMs: this.stored?.expiresMs ?? 0,
    };
    try {
      // Before the token is spent for it: else an answer that is lost could never be asked for again.
      writeCredential(path, fresh);
    } catch (error) {
      return { code: status.UNAVAILABLE, details: `the agent's key cannot be kept: ${(error as Error).message}` };
    }
    this.stored = fresh;
    return true;
  }

  /** Gets a certificate, or a new one. @returns a fault, where there is none; the one of before stays */
  async obtain(enroll: Enroll): Promise<CredentialFault | undefined> {
    const { token, version } = this.options;
    const { stored } = this;
    if (!stored) return { code: status.UNAVAILABLE, details: 'there is no key yet' };
    const isRenewal = stored.certificate !== null;
    const key = isRenewal ? newAgentKey() : stored.key;
    try {
      const answer = await enroll({
        token: isRenewal ? '' : (token?.secret ?? ''),
        csr: certificateRequest(createPrivateKey(key)),
        agentVersion: version,
      });
      this.take(key, answer);
      return undefined;
    } catch (error) {
      const { code = status.UNAVAILABLE, details = (error as Error).message } = error as Partial<CredentialFault>;
      if (code === status.UNIMPLEMENTED && !isRenewal) {
        this.showsToken = true;
        return undefined;
      }
      return { code, details };
    }
  }

  /** Keeps on disk what the disk refused before. */
  save(): void {
    if (this.isSaved || !this.stored) return;
    try {
      writeCredential(this.options.path, this.stored);
      this.isSaved = true;
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the new certificate cannot be kept on disk yet');
    }
  }

  private take(key: string, answer: Enrollment): void {
    const certificate = new X509Certificate(answer.certificate);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the certificate is for another key');
    this.stored = {
      credential: this.name,
      key,
      certificate: certificatePem(answer.certificate),
      authorities: answer.authorities.map((der) => new X509Certificate(der).toString()),
      renewAfterMs: Number(answer.renewAfterMs),
      expiresMs: Number(answer.expiresAtMs),
    };
    this.mustRenew = false;
    this.showsToken = false;
    this.isSaved = false;
    this.save();
    this.options.logger.info(
      { expires: new Date(this.stored.expiresMs).toISOString() },
      'this agent has a new certificate',
    );
  }
}
