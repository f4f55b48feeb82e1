import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schedulePhaseMs } from '@watchpost/shared/check';
import { CheckResult } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { HOME_REGION, regionOfCode, type Region } from '@watchpost/shared/region';
import { decodeFrame } from '@watchpost/agent/spool/record-frame';
import { SEGMENT_HEADER_BYTES } from '@watchpost/agent/spool/segment';
import type { FleetWorld } from './fleet-world.js';

export const INTERVAL_MS = 60_000;
/** The specification: no check begins later than this after its scheduled time. */
export const LATEST_MS = 15_000;
/** A request this long before a scheduled time still belongs to it, because clocks may differ slightly. */
const EARLY_MS = 500;

export interface Watched {
  id: string;
  key: number;
  path: string;
  regions: readonly Region[];
}

/** The outcome of the checks that were due in a period. */
export interface Tally {
  name: string;
  seconds: number;
  /** Scheduled times of every monitor in each of its regions. */
  due: number;
  stored: number;
  /** Scheduled times without a result, or with a result of a check that began later than allowed. */
  missed: string[];
  latestMs: number;
  /** Inconclusive results. */
  inconclusive: string[];
  /** Results of other times than the scheduled ones. */
  strange: string[];
  /** Scheduled times for which the site received no request in time, by its own clock, and what is known of them. */
  unseen: string[];
  /** Requests beyond one for each scheduled time: checks run by two agents and stored once. */
  doubled: number;
}

interface Row {
  key: number;
  code: number;
  dueMs: number;
  lagMs: number;
  outcome: number;
}

/** Compares the schedule with the stored results, the requests at the site and the spools of the agents. */
export class FleetRecord {
  /** `key/region/scheduled time` of every result that was ever in a spool. */
  private readonly spooled = new Set<string>();
  private rows = new Map<string, Row>();
  private requests = new Map<string, number[]>();

  constructor(
    private readonly world: FleetWorld,
    readonly watched: readonly Watched[],
  ) {}

  /** Must be called at least once a minute, because spools keep acknowledged results no longer. */
  async lookAtSpools(): Promise<void> {
    for (const { region, spoolFolder } of this.world.agents) {
      const names = (await readdir(spoolFolder).catch(() => [])).filter((name) => name.endsWith('.seg'));
      for (const name of names) {
        const bytes = await readFile(join(spoolFolder, name)).catch(() => Buffer.alloc(0));
        for (let at = SEGMENT_HEADER_BYTES, frame = decodeFrame(bytes, at); frame.kind === 'record';) {
          const { key, scheduledAtMs } = CheckResult.decode(frame.payload);
          this.spooled.add(keyOf(Number(key?.monitorKey), region, Number(scheduledAtMs)));
          at = frame.next;
          frame = decodeFrame(bytes, at);
        }
      }
    }
  }

  /** Reads all stored results and all requests at the site. */
  async read(): Promise<void> {
    const rows = await this.world.sql<Row>(
      `SELECT monitor_key::int AS key, region AS code, (extract(epoch FROM scheduled_at) * 1000)::float8 AS "dueMs",
         start_lag_ms AS "lagMs", outcome FROM check_result`,
    );
    this.rows = new Map(rows.map((row) => [keyOf(row.key, regionOfCode(row.code), row.dueMs), row]));
    const regionOf = new Map(this.world.agents.map(({ address, region }) => [address, region]));
    this.requests = new Map();
    for (const [path, from, atMs] of await this.world.seen()) {
      const which = `${path} ${regionOf.get(from)}`;
      this.requests.set(which, [...(this.requests.get(which) ?? []), atMs]);
    }
  }

  /** For `eventually`: the empty list once nothing is missing. */
  async readLost(): Promise<string[] | undefined> {
    await this.read();
    const lost = this.lost();
    return lost.length === 0 ? lost : undefined;
  }

  /** Results that were spooled and are not stored. */
  lost(): string[] {
    return [...this.spooled].filter((key) => !this.rows.has(key));
  }

  get spooledResults(): number {
    return this.spooled.size;
  }

  /** @param asked monitors with on-demand runs, whose requests are not counted */
  tally(name: string, fromMs: number, toMs: number, asked: ReadonlySet<string>): Tally {
    const tally: Tally = {
      name,
      seconds: Math.round((toMs - fromMs) / 1000),
      due: 0,
      stored: 0,
      missed: [],
      latestMs: 0,
      inconclusive: [],
      strange: [],
      unseen: [],
      doubled: 0,
    };
    const isWithin = (ms: number) => ms >= fromMs && ms < toMs;
    const due = new Set<string>();
    for (const { id, key, path, regions } of this.watched) {
      for (const region of regions) {
        const requests = this.requests.get(`${path} ${region}`) ?? [];
        for (const slot of dueTimes(key, region, fromMs, toMs)) {
          const slotKey = keyOf(key, region, slot);
          due.add(slotKey);
          this.count(tally, slotKey);
          const own = requests.filter((at) => at >= slot - EARLY_MS && at < slot - EARLY_MS + INTERVAL_MS);
          const inTime = own.filter((at) => at <= slot + LATEST_MS + EARLY_MS);
          if (inTime.length === 0) tally.unseen.push(`${slotKey}: ${this.traces(slotKey, slot, requests)}`);
          if (!asked.has(id)) tally.doubled += Math.max(0, own.length - 1);
        }
      }
    }
    tally.due = due.size;
    for (const [slotKey, row] of this.rows) if (isWithin(row.dueMs) && !due.has(slotKey)) tally.strange.push(slotKey);
    return tally;
  }

  /** What there is of a check that the site has not seen: which half of the way it went decides where to look. */
  private traces(slotKey: string, slot: number, requests: readonly number[]): string {
    const row = this.rows.get(slotKey);
    const result = row ? `outcome ${row.outcome}, started ${row.lagMs} ms late` : 'no result';
    const around = requests.filter((at) => Math.abs(at - slot) < 2 * INTERVAL_MS).map((at) => at - slot);
    return `${result}, ${this.spooled.has(slotKey) ? '' : 'not '}in a spool, requests at ${around.join(', ')} ms`;
  }

  private count(tally: Tally, slotKey: string): void {
    const row = this.rows.get(slotKey);
    if (!row) return void tally.missed.push(`${slotKey} not stored`);
    tally.stored++;
    tally.latestMs = Math.max(tally.latestMs, row.lagMs);
    if (row.lagMs > LATEST_MS) tally.missed.push(`${slotKey} ${row.lagMs} ms late`);
    if (row.outcome === 3) tally.inconclusive.push(slotKey);
  }
}

/** The definition of the schedule, repeated independently: docs/decisions/0004-scheduled-times-are-computed.md. */
export function dueTimes(key: number, region: Region, fromMs: number, toMs: number): number[] {
  const phase = schedulePhaseMs({ monitorKey: key, kind: 'http' }, region, INTERVAL_MS);
  const slots: number[] = [];
  for (let slot = phase + Math.ceil((fromMs - phase) / INTERVAL_MS) * INTERVAL_MS; slot < toMs; slot += INTERVAL_MS)
    slots.push(slot);
  return slots;
}

/** Some monitors of the home region that are due soon, so that their failure is noticed during another failure. */
export function dueSoon(watched: readonly Watched[], fromMs: number, toMs: number, count: number): Watched[] {
  return watched
    .filter(({ key, regions }) => regions.length === 1 && dueTimes(key, HOME_REGION, fromMs, toMs).length > 0)
    .slice(0, count);
}

export function tableOf(tallies: readonly Tally[]): string {
  const head = ['fault', 's', 'due', 'stored', 'late > 15 s', 'latest ms', 'inconclusive', 'run twice'];
  const lines = tallies.map((one) => [
    one.name,
    one.seconds,
    one.due,
    one.stored,
    one.missed.length,
    one.latestMs,
    one.inconclusive.length,
    one.doubled,
  ]);
  const cells = [head, ...lines].map((line) => line.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    )
    .map((line) => `      ${line}`)
    .join('\n');
}

function keyOf(key: number, region: Region, dueMs: number): string {
  return `${key}/${region}/${new Date(dueMs).toISOString()}`;
}
