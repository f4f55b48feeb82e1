import { credentials, Metadata, type ClientDuplexStream } from '@grpc/grpc-js';
import {
  AgentServiceClient,
  type AssignmentUpdate,
  type CheckKey,
  type CheckSpec,
  type PullRequest,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';

const HEARTBEAT_MS = 5_000;
const KINDS_A_MONITOR = 32;

/** An agent that applies and acknowledges its assignments, and runs no check. */
export class ListeningAgent {
  /** The codes of its assigned checks. */
  readonly checks = new Set<number>();
  private incoming = new Set<number>();
  private readonly client: AgentServiceClient;
  private readonly pull: ClientDuplexStream<PullRequest, AssignmentUpdate>;
  private readonly heartbeat: NodeJS.Timeout;

  /** @param onCheck is called with the monitor key and the URL of every HTTP check that is assigned */
  constructor(
    port: number,
    token: string,
    private readonly onCheck: (monitorKey: number, url: string) => void = () => {},
  ) {
    // A separate channel, so that each agent of a process has its own connection.
    this.client = new AgentServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    this.pull = this.client.pullAssignments(metadata);
    this.pull.on('error', () => {});
    this.pull.on('data', (update: AssignmentUpdate) => this.take(update));
    this.send({
      $case: 'hello',
      value: {
        protocolVersion: 1,
        agentVersion: '0.1.0',
        capabilities: ['http'],
        lastRevision: 0n,
        assignmentEpoch: '',
      },
    });
    this.heartbeat = setInterval(
      () =>
        this.send({
          $case: 'heartbeat',
          value: { spoolDepth: 0, checks: this.checks.size, lagP99Us: 500, visibility: 0 },
        }),
      HEARTBEAT_MS,
    );
  }

  close(): void {
    clearInterval(this.heartbeat);
    this.pull.cancel();
    this.client.close();
  }

  private send(message: PullRequest['message']): void {
    this.pull.write({ message });
  }

  private take({ message }: AssignmentUpdate): void {
    if (message?.$case === 'snapshot') {
      const { checks, index, last } = message.value;
      if (index === 0) this.incoming.clear();
      for (const spec of checks) this.incoming.add(this.codeOf(spec));
      if (!last) return;
      this.checks.clear();
      for (const code of this.incoming) this.checks.add(code);
      this.incoming.clear();
    } else if (message?.$case === 'delta') {
      for (const spec of message.value.upserts) this.checks.add(this.codeOf(spec));
      for (const key of message.value.removes) this.checks.delete(codeOfKey(key));
    } else return;
    this.send({ $case: 'revisionAck', value: { revision: message.value.revision } });
  }

  private codeOf({ key, target }: CheckSpec): number {
    const { url } = JSON.parse(target) as { url?: string };
    if (url !== undefined) this.onCheck(Number(key!.monitorKey), url);
    return codeOfKey(key!);
  }
}

function codeOfKey({ monitorKey, kind }: CheckKey): number {
  return Number(monitorKey) * KINDS_A_MONITOR + kind;
}
