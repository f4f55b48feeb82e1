import { Metadata, Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import {
  AgentServiceService,
  type AgentServiceServer,
  type AssignmentUpdate,
  type CheckResult,
  type CheckSpec,
  type Heartbeat,
  type Hello,
  type PullRequest,
  type ResultAck,
  type ResultBatch,
  type RunNow,
  type RunResult,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';

export interface ReceivedResult {
  spoolId: string;
  sequence: number;
  result: CheckResult;
  atMs: number;
}

type PullCall = ServerDuplexStream<PullRequest, AssignmentUpdate>;
type ResultCall = ServerDuplexStream<ResultBatch, ResultAck>;

/** A control plane that a test controls, over the real wire. */
export class ScriptedControlPlane {
  readonly hellos: Hello[] = [];
  readonly heartbeats: Heartbeat[] = [];
  readonly revisionAcks: number[] = [];
  readonly runResults: RunResult[] = [];
  readonly received: ReceivedResult[] = [];
  readonly authorizations = new Set<string>();
  /** The assignment: sent as a snapshot after every hello that names another revision. */
  checks: CheckSpec[] = [];
  revision = 1;
  /** How far this clock is ahead of the real time. */
  clockOffsetMs = 0;
  region = 'northeurope';
  databaseHistory = '';
  maxBatchResults = 500;
  heartbeatMs = 200;
  /** 0: it does not know leaving, as a former version. */
  leaveWithinMs = 0;
  /** How many agents have reported that they leave. */
  leavings = 0;
  /** Refuses every stream, if set. */
  refusal: { code: status; details: string } | undefined;
  /** While set, results are received and not acknowledged. */
  holdAcks = false;
  /** Whether a result can never be accepted. */
  isUnacceptable: (result: CheckResult) => boolean = () => false;
  /** Whether a refusal names the result. */
  namesRefused = true;

  private readonly pulls = new Set<PullCall>();
  private readonly results = new Set<ResultCall>();
  private server: Server | undefined;
  port = 0;

  /** Listens; on the same port again after `stop`. */
  async start(): Promise<void> {
    const server = new Server({ 'grpc.so_reuseport': 0 });
    const service: AgentServiceServer = {
      pullAssignments: (call) => this.pull(call),
      streamResults: (call) => this.take(call),
      enroll: (_call, answer) => answer({ code: status.UNIMPLEMENTED, details: 'no TLS here' }),
    };
    server.addService(AgentServiceService, service);
    this.port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.port}`, ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    this.server = server;
  }

  /** Breaks every stream, as a killed process does. */
  stop(): void {
    this.server?.forceShutdown();
    this.server = undefined;
    this.pulls.clear();
    this.results.clear();
  }

  get connected(): boolean {
    return this.pulls.size > 0;
  }

  send(message: AssignmentUpdate['message']): void {
    for (const call of this.pulls) this.sendTo(call, message);
  }

  change(upserts: CheckSpec[], removes: CheckSpec[] = []): void {
    const gone = new Set([...upserts, ...removes].map((spec) => spec.key!.monitorKey));
    this.checks = [...this.checks.filter((spec) => !gone.has(spec.key!.monitorKey)), ...upserts];
    this.revision++;
    this.send({
      $case: 'delta',
      value: {
        revision: BigInt(this.revision),
        epoch: '1',
        upserts,
        removes: removes.map((spec) => spec.key!),
        handovers: [],
      },
    });
  }

  runNow(run: Partial<RunNow> & { requestId: string }): void {
    this.send({ $case: 'runNow', value: { deadlineMs: BigInt(this.now() + 5_000), purpose: 0, ...run } });
  }

  end(code: status, details: string): void {
    for (const call of [...this.pulls, ...this.results])
      call.emit('error', Object.assign(new Error(details), { code, details }));
  }

  /** The scheduled times received for one monitor, without duplicates, in the order of arrival. */
  scheduledTimesOf(monitorKey: number): number[] {
    return [
      ...new Set(
        this.received
          .filter(({ result }) => Number(result.key?.monitorKey) === monitorKey)
          .map(({ result }) => Number(result.scheduledAtMs)),
      ),
    ];
  }

  private now(): number {
    return Date.now() + this.clockOffsetMs;
  }

  private sendTo(call: PullCall, message: AssignmentUpdate['message']): void {
    call.write({ serverTimeMs: BigInt(this.now()), message });
  }

  private pull(call: PullCall): void {
    this.authorizations.add(String(call.metadata.get('authorization')[0]));
    if (this.refusal) return void call.emit('error', this.refusal);
    call.on('data', ({ message }: PullRequest) => {
      if (message?.$case === 'hello') this.welcome(call, message.value);
      else if (message?.$case === 'revisionAck') this.revisionAcks.push(Number(message.value.revision));
      else if (message?.$case === 'heartbeat') this.heartbeats.push(message.value);
      else if (message?.$case === 'leaving') this.leavings++;
      else if (message?.$case === 'runResult') this.runResults.push(message.value);
    });
    call.on('end', () => {
      this.pulls.delete(call);
      call.end();
    });
    for (const event of ['cancelled', 'error', 'close']) call.on(event, () => this.pulls.delete(call));
  }

  private welcome(call: PullCall, hello: Hello): void {
    this.hellos.push(hello);
    this.pulls.add(call);
    const { heartbeatMs, maxBatchResults, leaveWithinMs } = this;
    const settings = { heartbeatMs, maxBatchResults, leaveWithinMs };
    this.sendTo(call, {
      $case: 'welcome',
      value: {
        agentId: 'agent-1',
        region: this.region,
        protocolVersion: 1,
        settings,
        databaseHistory: this.databaseHistory,
      },
    });
    if (Number(hello.lastRevision) === this.revision)
      // The real control plane confirms an unchanged assignment, too.
      return this.sendTo(call, {
        $case: 'delta',
        value: { revision: BigInt(this.revision), epoch: '1', upserts: [], removes: [], handovers: [] },
      });
    const half = Math.ceil(this.checks.length / 2);
    const parts = [this.checks.slice(0, half), this.checks.slice(half)];
    parts.forEach((checks, index) =>
      this.sendTo(call, {
        $case: 'snapshot',
        value: {
          revision: BigInt(this.revision),
          epoch: '1',
          index,
          last: index === 1,
          checks,
          handovers: [],
          handoversKnown: false,
        },
      }),
    );
  }

  private take(call: ResultCall): void {
    if (this.refusal) return void call.emit('error', this.refusal);
    this.results.add(call);
    call.sendMetadata(new Metadata());
    call.on('data', ({ firstSequence, spoolId, results }: ResultBatch) => {
      const first = Number(firstSequence);
      const bad = results.findIndex((result) => this.isUnacceptable(result));
      if (bad >= 0) {
        const metadata = new Metadata();
        if (this.namesRefused) metadata.set('watchpost-refused-sequence', String(first + bad));
        call.emit('error', { code: status.INVALID_ARGUMENT, details: 'a result is not acceptable', metadata });
        return;
      }
      results.forEach((result, index) =>
        this.received.push({ spoolId, sequence: first + index, result, atMs: Date.now() }),
      );
      if (!this.holdAcks) call.write({ throughSequence: BigInt(first + results.length - 1), refused: [] });
    });
    call.on('end', () => call.end());
    for (const event of ['end', 'cancelled', 'error', 'close']) call.on(event, () => this.results.delete(call));
  }
}

export function httpCheck(monitorKey: number, url: string, more: Partial<CheckSpec> = {}): CheckSpec {
  return {
    key: { monitorKey: BigInt(monitorKey), kind: 1 },
    intervalMs: 1_000,
    timeoutMs: 900,
    phaseMs: (monitorKey * 137) % 1_000,
    changedAtMs: BigInt(Date.now() - 600_000),
    target: JSON.stringify({ url, expectedStatus: [{ from: 200, to: 299 }] }),
    ...more,
  };
}
