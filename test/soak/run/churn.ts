import { randomOf, type Random } from '../draw/random.js';
import type { MonitorRow, Write } from '../judge/observation.js';
import type { SoakWorld } from '../world/soak-world.js';

/** The number of monitors that come and go. */
const MOST_MONITORS = 30;
const INTERVALS = [60_000, 120_000, 300_000];

/** A user who creates, changes, pauses and deletes monitors all the time, one after the other, and keeps what was answered. */
export class Churn {
  readonly writes: Write[] = [];
  /** Answers that no change should get. */
  readonly refused: { what: string; atMs: number }[] = [];
  private readonly random: Random;
  private readonly living: { id: string; row: MonitorRow }[] = [];
  private count = 0;
  private isStopped = false;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly world: SoakWorld,
    private readonly options: { seed: number; paceMs: number },
  ) {
    this.random = randomOf(options.seed, 'changes');
  }

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      await new Promise((resolve) => setTimeout(resolve, this.options.paceMs));
      await this.change().catch(() => {});
    }
  }

  private async change(): Promise<void> {
    const { random, living } = this;
    if (living.length < 5 || (living.length < MOST_MONITORS && random.chance(0.3))) return await this.create();
    const index = random.between(0, living.length - 1);
    const { id, row } = living[index]!;
    if (random.chance(0.2)) {
      living.splice(index, 1);
      // A repeated deletion finds nothing.
      await this.write(id, 'DELETE', undefined, null, [204, 404]);
      return;
    }
    const changed: Partial<MonitorRow> = random.pick([
      { name: `Changed ${++this.count}` },
      { status: row.status === 'paused' ? 'enabled' : 'paused' },
      { intervalMs: random.pick(INTERVALS) },
    ]);
    Object.assign(row, changed);
    const body = {
      ...(changed.name === undefined ? {} : { name: changed.name }),
      ...(changed.status === undefined ? {} : { monitoringStatus: changed.status }),
      ...(changed.intervalMs === undefined ? {} : { checkInterval: `PT${changed.intervalMs / 1000}S` }),
    };
    await this.write(id, 'PUT', body, { ...row }, [200]);
  }

  private async create(): Promise<void> {
    const number = ++this.count;
    const sentMs = Date.now();
    const row: MonitorRow = { name: `Churn ${number}`, intervalMs: 60_000, status: 'enabled' };
    const url = `http://127.60.${number >> 8}.${number & 255}:${this.world.targets.ports.http}/c/${number}`;
    const body = { name: row.name, url, checkInterval: 'PT1M' };
    const { status, body: made } = await this.world.client.callOnce<{ id: string }>('POST', '/api/v1/monitor', body, {
      'idempotency-key': `churn-${number}`,
    });
    if (status !== 201) return this.note(`POST answered ${status}: ${JSON.stringify(made)}`, status);
    this.living.push({ id: made.id, row });
    this.writes.push({ monitorId: made.id, sentMs, answeredMs: Date.now(), expected: { ...row } });
  }

  private async write(
    monitorId: string,
    method: 'PUT' | 'DELETE',
    body: unknown,
    expected: Write['expected'],
    good: readonly number[],
  ): Promise<void> {
    const write: Write = { monitorId, sentMs: Date.now(), answeredMs: null, expected };
    this.writes.push(write);
    const answer = await this.world.client.callOnce(method, `/api/v1/monitor/${monitorId}`, body);
    if (good.includes(answer.status)) write.answeredMs = Date.now();
    else this.note(`${method} answered ${answer.status}: ${JSON.stringify(answer.body)}`, answer.status);
  }

  /** A 5xx is the honest answer of a control plane without its database. */
  private note(what: string, status: number): void {
    if (status < 500) this.refused.push({ what, atMs: Date.now() });
  }
}
