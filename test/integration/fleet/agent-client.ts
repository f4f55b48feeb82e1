import { credentials, Metadata, type ClientDuplexStream, type StatusObject } from '@grpc/grpc-js';
import {
  AgentServiceClient,
  type AssignmentUpdate,
  type CheckResult,
  type PullRequest,
  type ResultAck,
  type ResultBatch,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';

export interface ClientHello {
  protocolVersion?: number;
  capabilities?: string[];
  canTrace?: boolean;
  lastRevision?: bigint;
  assignmentEpoch?: string;
}

/** A minimal agent: applies the updates of its assignment stream and acknowledges them. */
export class AgentClient {
  private readonly client: AgentServiceClient;
  readonly checks = new Map<number, { intervalMs: number }>();
  readonly updates: AssignmentUpdate[] = [];
  revision = 0n;
  epoch = '';
  /** The status of the assignment stream, once it is over. */
  status: StatusObject | undefined;
  /** Set to false to apply updates without acknowledging them. */
  acknowledges = true;
  /** Called with each update after it is applied. */
  onUpdate: (update: AssignmentUpdate) => void = () => undefined;
  private pull: ClientDuplexStream<PullRequest, AssignmentUpdate> | undefined;
  private incoming = new Map<number, { intervalMs: number }>();

  constructor(
    port: number,
    readonly token: string,
  ) {
    // A separate channel for each client, so that they are separate connections.
    this.client = new AgentServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  get metadata(): Metadata {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${this.token}`);
    return metadata;
  }

  connect(hello: ClientHello = {}): this {
    this.status = undefined;
    const pull = this.client.pullAssignments(this.metadata);
    this.pull = pull;
    pull.on('data', (update: AssignmentUpdate) => {
      this.apply(update);
      this.onUpdate(update);
    });
    pull.on('error', () => undefined);
    pull.on('status', (status: StatusObject) => {
      if (this.pull === pull) this.status = status;
    });
    this.send({
      $case: 'hello',
      value: {
        protocolVersion: hello.protocolVersion ?? 1,
        agentVersion: '1.2.3',
        capabilities: hello.capabilities ?? ['http'],
        canTrace: hello.canTrace,
        lastRevision: hello.lastRevision ?? this.revision,
        assignmentEpoch: hello.assignmentEpoch ?? this.epoch,
      },
    });
    return this;
  }

  send(message: PullRequest['message']): void {
    this.pull!.write({ message });
  }

  of(name: string) {
    return this.updates.flatMap(({ message }) => (message?.$case === name ? [message] : []));
  }

  results(): ResultStream {
    return new ResultStream(this.client.streamResults(this.metadata));
  }

  /** Breaks the connection, as if the process were killed. */
  disconnect(): void {
    this.pull?.cancel();
    this.client.close();
  }

  async has(count: number, timeoutMs = PATIENCE_MS): Promise<void> {
    await eventually(
      `${count} checks at the agent (it has ${this.checks.size})`,
      () => (this.checks.size === count ? true : undefined),
      timeoutMs,
      5,
    );
  }

  async ended(): Promise<StatusObject> {
    return await eventually('the end of the stream', () => this.status, PATIENCE_MS, 5);
  }

  private apply(update: AssignmentUpdate): void {
    this.updates.push(update);
    const { message } = update;
    if (message?.$case === 'snapshot') {
      if (message.value.index === 0) this.incoming = new Map();
      for (const check of message.value.checks)
        this.incoming.set(Number(check.key!.monitorKey), { intervalMs: check.intervalMs });
      if (!message.value.last) return;
      this.checks.clear();
      for (const [key, check] of this.incoming) this.checks.set(key, check);
    } else if (message?.$case === 'delta') {
      for (const check of message.value.upserts)
        this.checks.set(Number(check.key!.monitorKey), { intervalMs: check.intervalMs });
      for (const key of message.value.removes) if (key.kind === 1) this.checks.delete(Number(key.monitorKey));
    } else return;
    this.revision = message.value.revision;
    this.epoch = message.value.epoch;
    if (this.acknowledges) this.send({ $case: 'revisionAck', value: { revision: this.revision } });
  }
}

export class ResultStream {
  readonly acks: number[] = [];
  status: StatusObject | undefined;

  constructor(readonly call: ClientDuplexStream<ResultBatch, ResultAck>) {
    call.on('data', (ack: ResultAck) => this.acks.push(Number(ack.throughSequence)));
    call.on('error', () => undefined);
    call.on('status', (status: StatusObject) => (this.status = status));
  }

  /** @returns whether the stream accepts more */
  send(firstSequence: number, count: number, change: (result: CheckResult) => void = () => undefined): boolean {
    const results = Array.from({ length: count }, (_, index) => wireResult(firstSequence + index));
    results.forEach(change);
    return this.call.write({ firstSequence: BigInt(firstSequence), spoolId: 'spool', results });
  }

  async acknowledged(throughSequence: number, timeoutMs = PATIENCE_MS): Promise<void> {
    await eventually(
      `an acknowledgement through ${throughSequence}`,
      () => (this.acks.at(-1) === throughSequence ? true : undefined),
      timeoutMs,
      5,
    );
  }

  async ended(): Promise<StatusObject> {
    return await eventually('the end of the stream', () => this.status, PATIENCE_MS, 5);
  }
}

export function wireResult(monitorKey: number): CheckResult {
  return {
    key: { monitorKey: BigInt(monitorKey), kind: 1 },
    scheduledAtMs: 1_763_700_000_000n,
    startedAtMs: 1_763_700_000_003n,
    totalUs: 41_000,
    freshMs: 150_000,
    outcome: 1,
    phase: '',
    reason: '',
    message: '',
    statusCode: 200,
    timings: { dnsUs: 1_000, connectUs: 10_000, tlsUs: 20_000, firstByteUs: 9_000, transferUs: 1_000, authUs: 0 },
    address: '192.0.2.7:443',
    loopLagUs: 120,
    answerVerified: false,
    answerDigest: 0,
    evidence: Buffer.alloc(0),
    detail: Buffer.alloc(0),
    findings: Buffer.alloc(0),
    partial: false,
  };
}
