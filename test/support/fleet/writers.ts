import { eventually } from '../eventually.js';
import type { FleetWorld } from './fleet-world.js';

const PAUSE_MS = 250;
/** A request without an answer for so long counts as failed. */
const DEADLINE_MS = 10_000;

interface Write {
  id: string;
  startedMs: number;
  doneMs: number;
}

/** A client at each control plane, which creates one monitor after the other and remembers what was acknowledged. */
export class Writers {
  private isStopping = false;
  private readonly written: readonly Write[][];
  private readonly running: Promise<unknown>;

  constructor(private readonly world: FleetWorld) {
    this.written = world.controlPlanes.map(() => []);
    this.running = Promise.all(world.controlPlanes.map(({ port }, index) => this.write(port, this.written[index]!)));
  }

  /** All that was acknowledged. */
  get count(): number {
    return this.written.flat().length;
  }

  /** Waits until every control plane has acknowledged a write that began after `fromMs`. @returns how long each one took, ms */
  async backAfter(fromMs: number): Promise<number[]> {
    return await Promise.all(
      this.written.map(async (writes, index) => {
        const isBack = () => writes.find(({ startedMs }) => startedMs >= fromMs);
        const { doneMs } = await eventually(`control plane ${index + 1} writes again`, isBack, 150_000, 20);
        return doneMs - fromMs;
      }),
    );
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** @returns the monitors that were acknowledged and do not exist */
  async missing(): Promise<string[]> {
    const rows = await this.world.sql<{ id: string }>('SELECT id FROM monitor');
    const stored = new Set(rows.map(({ id }) => id));
    return this.written.flat().flatMap(({ id }) => (stored.has(id) ? [] : [id]));
  }

  private async write(port: number, writes: Write[]): Promise<void> {
    const body = { url: `http://127.0.0.1:${this.world.target.port}/written`, checkInterval: 'PT1H' };
    while (!this.isStopping) {
      const startedMs = Date.now();
      const answer = await this.world.apiAt(port, 'POST', '/api/v1/monitor', body, DEADLINE_MS).catch(() => undefined);
      if (answer?.status === 201) writes.push({ id: answer.body.id as string, startedMs, doneMs: Date.now() });
      else if (answer && answer.status < 500) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
