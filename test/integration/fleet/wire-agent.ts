import { credentials, Metadata, type Client, type ClientDuplexStream } from '@grpc/grpc-js';
import { checkKindOfCode } from '@watchpost/shared/check';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { wireContract, type WireVersion } from '../../support/wire-contract.js';

interface WireKey {
  monitorKey: number;
  kind: number;
}
interface Assigned {
  revision: number;
  epoch: string;
  index?: number;
  last?: boolean;
  checks?: { key: WireKey }[];
  upserts?: { key: WireKey }[];
  removes?: WireKey[];
}
interface Update {
  snapshot?: Assigned;
  delta?: Assigned;
}
type Streams = Client &
  Record<
    'pullAssignments' | 'streamResults',
    (metadata: Metadata) => ClientDuplexStream<object, Update & { throughSequence: number }>
  >;

const nameOf = ({ monitorKey, kind }: WireKey) => `${checkKindOfCode(kind)} ${monitorKey}`;

/** An agent that uses one version of the contract as text, so that its frames are those of this version. */
export class WireAgent {
  private readonly client: Streams;
  private readonly metadata = new Metadata();
  /** Assigned checks of all kinds, as `ssl 5`. */
  readonly checks = new Set<string>();
  private incoming: string[] = [];
  readonly acknowledged: number[] = [];
  private pull: ClientDuplexStream<object, Update> | undefined;

  constructor(
    port: number,
    version: WireVersion,
    token: string,
    private readonly capabilities: readonly string[],
  ) {
    const Service = wireContract(version);
    this.client = new Service(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    }) as unknown as Streams;
    this.metadata.set('authorization', `Bearer ${token}`);
  }

  connect(): this {
    const pull = this.client.pullAssignments(this.metadata);
    this.pull = pull;
    pull.on('error', () => undefined);
    pull.on('data', (update: Update) => this.apply(update, pull));
    const hello = { protocolVersion: 1, agentVersion: '0.9.0', capabilities: this.capabilities };
    pull.write({ hello: { ...hello, lastRevision: 0, assignmentEpoch: '' } });
    return this;
  }

  /** Sends results of HTTP checks, and waits until they are acknowledged. */
  async report(monitorKeys: readonly number[]): Promise<void> {
    const stream = this.client.streamResults(this.metadata);
    stream.on('error', () => undefined);
    stream.on('data', ({ throughSequence }) => this.acknowledged.push(throughSequence));
    const results = monitorKeys.map((monitorKey) => ({
      key: { monitorKey, kind: 1 },
      scheduledAtMs: 1_763_700_000_000,
      startedAtMs: 1_763_700_000_003,
      totalUs: 41_000,
      freshMs: 150_000,
      outcome: 'OUTCOME_KIND_UP',
      statusCode: 200,
      address: '192.0.2.7:443',
    }));
    stream.write({ firstSequence: 1, spoolId: 'former', results });
    const last = monitorKeys.length;
    await eventually('an acknowledgement', () => this.acknowledged.includes(last) || undefined, PATIENCE_MS, 5);
    stream.end();
  }

  count(kind: string): number {
    return [...this.checks].filter((name) => name.startsWith(`${kind} `)).length;
  }

  async has(counts: Readonly<Record<string, number>>, timeoutMs = PATIENCE_MS): Promise<void> {
    await eventually(
      JSON.stringify(counts),
      () => Object.entries(counts).every(([kind, count]) => this.count(kind) === count) || undefined,
      timeoutMs,
      5,
    );
  }

  /** Breaks the connection, as if the process were killed. */
  disconnect(): void {
    this.pull?.cancel();
    this.client.close();
  }

  private apply({ snapshot, delta }: Update, pull: ClientDuplexStream<object, Update>): void {
    if (snapshot) {
      if (snapshot.index === 0) this.incoming = [];
      this.incoming.push(...(snapshot.checks ?? []).map(({ key }) => nameOf(key)));
      if (!snapshot.last) return;
      this.checks.clear();
      for (const name of this.incoming) this.checks.add(name);
    }
    for (const { key } of delta?.upserts ?? []) this.checks.add(nameOf(key));
    for (const key of delta?.removes ?? []) this.checks.delete(nameOf(key));
    const revision = (snapshot ?? delta)?.revision;
    if (revision !== undefined) pull.write({ revisionAck: { revision } });
  }
}
