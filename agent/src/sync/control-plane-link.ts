import { credentials, Metadata, type ChannelCredentials } from '@grpc/grpc-js';
import { AgentServiceClient } from '@watchpost/shared/gen/watchpost/agent/v1/agent';

const KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** One connection to the control plane that both streams share; renewed when we are asked to go elsewhere. */
export class ControlPlaneLink {
  private current: AgentServiceClient | undefined;

  constructor(
    private readonly url: URL,
    private readonly token: string,
  ) {}

  /** The connection for a new stream. */
  client(): AgentServiceClient {
    this.current ??= new AgentServiceClient(targetOf(this.url), channelCredentials(this.url), {
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
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${this.token}`);
    return metadata;
  }

  /** The next stream begins on a connection of its own; streams on this one end in peace. */
  renew(): void {
    this.current?.close();
    this.current = undefined;
  }
}

/** Mutual TLS comes in here: a key pair and certificate of the agent's own beside the roots. */
function channelCredentials(url: URL): ChannelCredentials {
  return url.protocol === 'https:' ? credentials.createSsl() : credentials.createInsecure();
}

function targetOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}
