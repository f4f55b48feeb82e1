import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import {
  AgentServiceClient,
  type Enrollment,
  type EnrollRequest,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { AgentCredential, CredentialFault } from './agent-credential.js';
import type { SessionEnd } from './decide-retry.js';

const KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const ENROLL_WITHIN_MS = 20_000;
/** The trailer of a refusal that a renewal mends. */
const CREDENTIAL_TRAILER = 'watchpost-credential';

/**
 * One connection to the control plane that both streams share; renewed when we are asked to go elsewhere. Of several
 * addresses it is at one for as long as the streams go well there.
 */
export class ControlPlaneLink {
  private current: AgentServiceClient | undefined;
  /** The present connection was made with another credential than the next one has to be. */
  private isOutdated = false;
  private preparing: Promise<SessionEnd | undefined> | undefined;
  private renewal: NodeJS.Timeout | undefined;

  /** In an order of our own: agents that lose one address spread over the others. */
  private readonly urls: readonly URL[];
  private at = 0;

  /** @param urls of one control plane, at least one */
  constructor(
    urls: readonly URL[],
    private readonly credential: AgentCredential,
    private readonly logger: Logger,
  ) {
    this.urls = shuffled(urls);
  }

  /** The connection for a new stream. */
  client(): AgentServiceClient {
    if (this.isOutdated) this.disconnect();
    this.current ??= new AgentServiceClient(targetOf(this.url), this.credential.channel(), {
      // a peer that is gone without a word is noticed within 15 s
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.initial_reconnect_backoff_ms': 250,
      'grpc.min_reconnect_backoff_ms': 250,
      'grpc.max_reconnect_backoff_ms': 5_000,
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      // no pool shared with other channels of the process: a renewed one has to connect anew
      'grpc.use_local_subchannel_pool': 1,
    });
    return this.current;
  }

  metadata(): Metadata {
    return this.credential.metadata();
  }

  /**
   * The next stream begins on a connection of its own, at another address where there is one; streams on this one end in
   * peace.
   */
  renew(): void {
    this.at = (this.at + 1) % this.urls.length;
    if (this.urls.length > 1) this.logger.info({ controlPlane: this.url.host }, 'the next connection goes elsewhere');
    this.disconnect();
  }

  /** A stream ended that should not have: where there are several addresses, this one may be to blame. */
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
   * Sees to it that a stream can begin: that there is a certificate, where one is needed.
   * @returns how the stream ends that cannot even begin
   */
  async prepare(): Promise<SessionEnd | undefined> {
    if (this.credential.isReady) return undefined;
    this.preparing ??= this.obtain().finally(() => (this.preparing = undefined));
    return await this.preparing;
  }

  /** Renews the certificate when it is time, beside the streams, which go on as they are. */
  keepRenewed(): void {
    this.renewal = setTimeout(() => {
      void this.renewWhereDue().finally(() => {
        if (this.renewal) this.keepRenewed();
      });
    }, this.credential.nextLookMs);
  }

  stop(): void {
    clearTimeout(this.renewal);
    this.renewal = undefined;
    this.disconnect();
  }

  /** What the end of a stream means to us; one for an expired certificate is followed by a renewal. */
  readEnd({ code, details, metadata }: StatusObject): { code: number; details: string } {
    if (metadata.get(CREDENTIAL_TRAILER)[0] !== 'expired') return { code, details };
    this.credential.expired();
    return { code: status.UNAVAILABLE, details };
  }

  private async renewWhereDue(): Promise<void> {
    this.credential.save();
    if (!this.credential.isRenewalDue || this.preparing) return;
    const fault = await this.request();
    if (fault) this.logger.warn(fault, 'the certificate cannot be renewed yet; trying again');
  }

  private async obtain(): Promise<SessionEnd | undefined> {
    const begun = await this.credential.begin(this.url);
    if (begun === true) this.disconnect();
    const fault = typeof begun === 'object' ? begun : await this.request();
    if (fault) this.tryAnotherAddress();
    return fault && { ...fault, healthy: false, drained: false };
  }

  /**
   * The next connection is made with what is given. The present one is left open, pings and all, for the streams
   * that it has: for days, where nothing happens.
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
