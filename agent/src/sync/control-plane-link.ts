import {
  Metadata,
  status,
  type ServiceError,
  type StatusObject,
  type ChannelOptions,
  type VerifyOptions,
} from '@grpc/grpc-js';
import {
  AgentServiceClient,
  type Enrollment,
  type EnrollRequest,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { AgentCredential, CredentialFault } from './agent-credential.js';
import type { SessionEnd } from './decide-retry.js';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';

/** No server has this name (RFC 2606 §2). */
const NO_NAME = 'no-name.invalid';

/**
 * Decides how a channel verifies a server at this address. An IP must not be the TLS name of a server (RFC 6066 §3; Node.js 26
 * refuses it), and grpc-js takes whatever the address names. So for an IP another name is sent, and the certificate is
 * compared with the IP all the same.
 * @param host a name, or an IP address, an IPv6 one in brackets as in URLs
 */
export function tlsNameOf(host: string): { verify: VerifyOptions; options: ChannelOptions } {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return { verify: {}, options: {} };
  return {
    verify: { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) },
    options: { 'grpc.ssl_target_name_override': NO_NAME },
  };
}

const KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const ENROLL_WITHIN_MS = 20_000;
/** The trailer of a refusal that a renewed certificate solves. */
const CREDENTIAL_TRAILER = 'watchpost-credential';

/**
 * The connection to the control plane, shared by both streams. It stays at one of several addresses as long as the streams
 * work there.
 */
export class ControlPlaneLink {
  private current: AgentServiceClient | undefined;
  /** The credential has changed since the present connection was made. */
  private isOutdated = false;
  private preparing: Promise<SessionEnd | undefined> | undefined;
  private renewal: NodeJS.Timeout | undefined;

  /** Shuffled, so that agents that lose one address distribute over the others. */
  private readonly urls: readonly URL[];
  private at = 0;

  /** @param urls the addresses of one control plane, at least one */
  constructor(
    urls: readonly URL[],
    private readonly credential: AgentCredential,
    private readonly logger: Logger,
  ) {
    this.urls = shuffled(urls);
  }

  client(): AgentServiceClient {
    if (this.isOutdated) this.disconnect();
    const { verify, options } = tlsNameOf(this.url.hostname);
    this.current ??= new AgentServiceClient(targetOf(this.url), this.credential.channel(verify), {
      ...options,
      // A peer that disappears is noticed within 15 s.
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.initial_reconnect_backoff_ms': 250,
      'grpc.min_reconnect_backoff_ms': 250,
      'grpc.max_reconnect_backoff_ms': 5_000,
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      // No shared pool: a renewed channel must open a new connection.
      'grpc.use_local_subchannel_pool': 1,
    });
    return this.current;
  }

  metadata(): Metadata {
    return this.credential.metadata();
  }

  /**
   * Moves to the next address, if there are several: the next stream opens a new connection in any case. Streams on the
   * present one end by themselves, those that wait for it at once.
   */
  renew(): void {
    this.at = (this.at + 1) % this.urls.length;
    if (this.urls.length > 1)
      this.logger.info({ controlPlane: this.url.host }, 'the next connection uses another address');
    this.disconnect();
  }

  /** Moves to the next address after a failure, if there are several. */
  tryAnotherAddress(): void {
    if (this.urls.length > 1) this.renew();
  }

  private get url(): URL {
    return this.urls[this.at]!;
  }

  private disconnect(): void {
    this.current?.close();
    this.current = undefined;
    this.isOutdated = false;
  }

  /**
   * Gets a certificate, if one is needed, before a stream begins.
   * @returns the end of a stream that cannot begin
   */
  async prepare(): Promise<SessionEnd | undefined> {
    if (this.credential.isReady) return undefined;
    this.preparing ??= this.obtain().finally(() => (this.preparing = undefined));
    return await this.preparing;
  }

  /** Renews the certificate in time; open streams are not affected. */
  keepRenewed(): void {
    this.renewal = setTimeout(() => {
      void this.renewWhereDue().finally(() => {
        if (this.renewal) this.keepRenewed();
      });
    }, this.credential.nextRenewalCheckMs);
  }

  stop(): void {
    clearTimeout(this.renewal);
    this.renewal = undefined;
    this.disconnect();
  }

  /** Reads the status of a stream; after one for an expired certificate, the certificate is renewed. */
  readEnd({ code, details, metadata }: StatusObject): { code: number; details: string } {
    if (metadata.get(CREDENTIAL_TRAILER)[0] !== 'expired') return { code, details };
    this.credential.expired();
    return { code: status.UNAVAILABLE, details };
  }

  private async renewWhereDue(): Promise<void> {
    this.credential.save();
    if (!this.credential.isRenewalDue || this.preparing) return;
    const fault = await this.request();
    if (fault) this.logger.warn(fault, 'the certificate could not be renewed; trying again');
  }

  private async obtain(): Promise<SessionEnd | undefined> {
    const prepared = await this.credential.prepareKey(this.url);
    if (prepared === true) this.disconnect();
    const fault = typeof prepared === 'object' ? prepared : await this.request();
    if (fault) this.tryAnotherAddress();
    return fault && { ...fault, healthy: false, drained: false };
  }

  /**
   * Requests a certificate; the next connection uses it. The present connection stays open for its streams, possibly for
   * days.
   */
  private async request(): Promise<CredentialFault | undefined> {
    const client = this.client();
    const fault = await this.credential.obtain((request) => enroll(client, request));
    if (!fault && this.credential.isReady) this.isOutdated = true;
    return fault;
  }
}

function enroll(client: AgentServiceClient, request: EnrollRequest): Promise<Enrollment> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + ENROLL_WITHIN_MS;
    client.enroll(request, new Metadata(), { deadline }, (error: ServiceError | null, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

function targetOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}

function shuffled(urls: readonly URL[]): URL[] {
  return urls
    .map((url) => ({ url, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ url }) => url);
}
