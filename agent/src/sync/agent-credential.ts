import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates } from 'node:tls';
import { credentials, Metadata, status, type ChannelCredentials, type VerifyOptions } from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import type { Enrollment, EnrollRequest } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import { credentialName, type AgentToken } from './agent-token.js';
import { certificateRequest, newAgentKey } from './certificate-request.js';
import { readCredential, writeCredential, type StoredCredential } from './credential-file.js';
import { certificatePem, findAuthority } from './find-authority.js';

export interface AgentCredentialOptions {
  isTls: boolean;
  /** null: the agent uses the certificate on disk. */
  token: AgentToken | null;
  path: string;
  /** The operator's authorities, each as PEM. */
  extraRoots: readonly string[];
  clock: Clock;
  logger: Logger;
  version: string;
}

/** Why an attempt to get a certificate failed; a gRPC status. */
export interface CredentialFault {
  code: number;
  details: string;
}

/** Requests a certificate from the control plane; rejects with a gRPC status. */
export type Enroll = (request: EnrollRequest) => Promise<Enrollment>;

/**
 * The credential of the agent. Over TLS it is a certificate: issued once for the token, stored on disk, and renewed long
 * before it expires. On loopback without TLS it is the token itself.
 */
export class AgentCredential {
  /** Identifies the credential in the data folder. */
  readonly name: string;
  private readonly isTls: boolean;
  private stored: StoredCredential | undefined;
  private isStored = true;
  /** The control plane issues no certificates: it is older, or behind a proxy that terminates TLS. */
  private sendsToken: boolean;
  private mustRenew = false;

  /** @throws Error where there is neither a token nor a certificate */
  constructor(private readonly options: AgentCredentialOptions) {
    const { isTls, token, path } = options;
    this.isTls = isTls;
    this.sendsToken = !this.isTls;
    const stored = this.isTls ? readCredential(path) : undefined;
    const name = token ? credentialName(token.secret) : stored?.certificate ? stored.credential : undefined;
    if (name === undefined) throw new Error('there is neither a token nor a certificate');
    this.name = name;
    // A certificate for another token belongs to another agent, or to a former enrolment of this one.
    this.stored = stored?.credential === name ? stored : undefined;
  }

  /** Encrypts what the agent keeps on disk: the token, as long as it is configured, is not on the disk itself. */
  get fileSecret(): string {
    return this.options.token?.secret ?? this.stored!.fileSecret;
  }

  /** ms since the epoch, by the control plane's clock; null without a certificate. */
  get expiresMs(): number | null {
    return this.stored?.certificate ? this.stored.expiresMs : null;
  }

  get isRenewalDue(): boolean {
    if (!this.isTls || !this.stored?.certificate) return false;
    return this.mustRenew || this.options.clock.now() >= this.stored.renewAfterMs;
  }

  /** Whether a stream can begin without a new certificate. */
  get isReady(): boolean {
    if (!this.isTls) return true;
    const { stored } = this;
    return Boolean(stored?.certificate) && !this.mustRenew && this.options.clock.now() < stored!.expiresMs;
  }

  /** The time until renewal is checked again, ms. */
  get nextRenewalCheckMs(): number {
    const now = this.options.clock.now();
    const { renewAfterMs = 0, expiresMs = 0 } = this.stored ?? {};
    const leftMs = now < renewAfterMs ? renewAfterMs - now : (expiresMs - now) / 10;
    return Math.min(60_000, Math.max(1_000, leftMs));
  }

  /** The control plane reports that the certificate has expired; its clock decides. */
  expired(): void {
    this.mustRenew = true;
  }

  /** The credentials of a new connection to a server that is verified so. */
  channel(verify: VerifyOptions): ChannelCredentials {
    if (!this.isTls) return credentials.createInsecure();
    const { stored } = this;
    const { extraRoots } = this.options;
    const own = stored?.certificate ? { key: stored.key, cert: stored.certificate } : {};
    // A list of authorities replaces those that Node trusts by default, so that it contains these, too.
    const ca = stored?.authorities.length ? { ca: [...rootCertificates, ...extraRoots, ...stored.authorities] } : {};
    return credentials.createFromSecureContext(createSecureContext({ ...own, ...ca, minVersion: 'TLSv1.2' }), verify);
  }

  metadata(): Metadata {
    const metadata = new Metadata();
    const { token } = this.options;
    if (token && this.sendsToken) metadata.set('authorization', `Bearer ${token.secret}`);
    return metadata;
  }

  /**
   * Finds the authority that the token pins, if any, and makes a key.
   * @param url the address at which the authority is searched
   * @returns whether the credentials of a new connection have changed
   */
  async prepareKey(url: URL): Promise<CredentialFault | boolean> {
    const { token, logger, path } = this.options;
    if (this.stored?.key && (this.stored.authorities.length > 0 || !token?.authorityPin)) return false;
    let authority: string | undefined;
    if (token?.authorityPin) {
      try {
        authority = await findAuthority(url, token.authorityPin);
      } catch (error) {
        return { code: status.UNAVAILABLE, details: (error as Error).message };
      }
      if (!authority)
        logger.info('the server does not present the authority that the token names; public authorities are trusted');
    }
    const fresh: StoredCredential = {
      credential: this.name,
      key: this.stored?.key ?? newAgentKey(),
      fileSecret: this.stored?.fileSecret ?? randomBytes(32).toString('base64url'),
      certificate: this.stored?.certificate ?? null,
      authorities: authority ? [authority] : [],
      renewAfterMs: this.stored?.renewAfterMs ?? 0,
      expiresMs: this.stored?.expiresMs ?? 0,
    };
    try {
      // Before the token is spent: without the same key, a lost response could not be requested again.
      writeCredential(path, fresh);
    } catch (error) {
      return { code: status.UNAVAILABLE, details: `the agent's key cannot be stored: ${(error as Error).message}` };
    }
    this.stored = fresh;
    return true;
  }

  /** Gets or renews the certificate. @returns a fault if there is no new one; the former one stays */
  async obtain(enroll: Enroll): Promise<CredentialFault | undefined> {
    const { token, version } = this.options;
    const { stored } = this;
    if (!stored) return { code: status.UNAVAILABLE, details: 'there is no key yet' };
    const isRenewal = stored.certificate !== null;
    const key = isRenewal ? newAgentKey() : stored.key;
    try {
      const enrollment = await enroll({
        token: isRenewal ? '' : (token?.secret ?? ''),
        csr: certificateRequest(createPrivateKey(key)),
        agentVersion: version,
      });
      this.accept(stored, key, enrollment);
      return undefined;
    } catch (error) {
      const { code = status.UNAVAILABLE, details = (error as Error).message } = error as Partial<CredentialFault>;
      if (code === status.UNIMPLEMENTED && !isRenewal) {
        this.sendsToken = true;
        return undefined;
      }
      return { code, details };
    }
  }

  /** Stores a certificate that could not be written before. */
  save(): void {
    if (this.isStored || !this.stored) return;
    try {
      writeCredential(this.options.path, this.stored);
      this.isStored = true;
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the new certificate could not be written to disk; trying again');
    }
  }

  private accept(stored: StoredCredential, key: string, answer: Enrollment): void {
    const certificate = new X509Certificate(answer.certificate);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the certificate is for another key');
    this.stored = {
      ...stored,
      key,
      certificate: certificatePem(answer.certificate),
      authorities: answer.authorities.map((der) => new X509Certificate(der).toString()),
      renewAfterMs: Number(answer.renewAfterMs),
      expiresMs: Number(answer.expiresAtMs),
    };
    this.mustRenew = false;
    this.sendsToken = false;
    this.isStored = false;
    this.save();
    this.options.logger.info(
      { expires: new Date(this.stored.expiresMs).toISOString() },
      'the agent has a new certificate',
    );
  }
}
