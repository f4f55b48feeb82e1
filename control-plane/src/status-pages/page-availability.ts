import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Database, Tx } from '../db/database.js';
import type { TimelineWindow } from '../plans/index.js';
import {
  type JointPeriod,
  type MonitorCount,
  type MonitorSpan,
  readJointCounts,
  readJointSpans,
} from '../results/index.js';
import { DAY_MS, WINDOWS, windowStart } from './decide-window.js';

export interface PageAvailability {
  /** Of the last 24 hours. */
  spans: MonitorSpan[];
  /** Of the longest window asked for. */
  counts: MonitorCount[];
}

const MINUTE_MS = 60_000;
const FINE_MS = WINDOWS['24h'].sampleMs;
const COARSE_MS = WINDOWS['7d'].sampleMs;
/** Results that come later than this show when the past is read again. */
const SETTLED_MS = 5 * MINUTE_MS;
const DAY_KEPT_MS = MINUTE_MS;
const OLD_KEPT_MS = 10 * MINUTE_MS;
/** The day reaches back further than one, by more than what is older is kept: the two always meet. */
const OVERLAP_MS = 60 * MINUTE_MS;
const CAPACITY = 64;

/** Something of the past that was read. */
interface Past<T> {
  /** Until when it is used without reading it again. */
  untilMs: number;
  startMs: number;
  toMs: number;
  read: Promise<T>;
}

interface Shown {
  workspaceId: string;
  monitorKeys: readonly number[];
}

/**
 * The availability of what pages show. The past hardly changes and is much to read: of the last day it is
 * read again every minute, of what is older every ten, and only the last minutes each time. Measured on two
 * busy cores with 5 monitors checked every minute from 2 regions for a month: a page takes 35 to 85 ms, with
 * the day read each time 120 to 180 ms, with the month 550 ms.
 */
export class PageAvailabilities {
  readonly #days = new BoundedCache<string, Past<PageAvailability>>(CAPACITY);
  readonly #old = new BoundedCache<string, Past<MonitorCount[]>>(CAPACITY);

  constructor(private readonly db: Database) {}

  async read(tx: Tx, shown: Shown, windows: readonly TimelineWindow[], nowMs: number): Promise<PageAvailability> {
    if (shown.monitorKeys.length === 0) return { spans: [], counts: [] };
    const day = this.#day(tx, shown, nowMs);
    const past = await day.read;
    const present = await readBoth(tx, shown, { startMs: day.toMs, endMs: nowMs + 1 });
    const spans = [
      ...past.spans.map((span) => ({ ...span, endMs: Math.min(span.endMs, day.toMs) })),
      ...present.spans.map((span) => ({ ...span, startMs: Math.max(span.startMs, day.toMs) })),
    ];
    const counts = [...past.counts, ...present.counts];
    const startMs = Math.min(...windows.map((window) => windowStart(window, nowMs)));
    if (startMs >= nowMs - DAY_MS) return { spans, counts };
    const old = this.#older(tx, shown, startMs, nowMs);
    return { spans, counts: [...(await old.read), ...counts.filter((count) => count.startMs >= old.toMs)] };
  }

  #day(tx: Tx, shown: Shown, nowMs: number): Past<PageAvailability> {
    const key = keyOf(shown);
    const known = this.#days.get(key);
    if (known && known.untilMs > nowMs) return known;
    const toMs = floor(nowMs - SETTLED_MS, FINE_MS);
    const startMs = dayStart(nowMs);
    const read = readBoth(tx, shown, { startMs, endMs: toMs });
    return keep(this.#days, key, { untilMs: nowMs + DAY_KEPT_MS, startMs, toMs, read });
  }

  /** Once known, it is read again beside the requests: nobody waits for a month of results twice. */
  #older(tx: Tx, shown: Shown, startMs: number, nowMs: number): Past<MonitorCount[]> {
    const key = keyOf(shown);
    const known = this.#old.get(key);
    if (known && known.untilMs > nowMs) return known;
    const toMs = floor(nowMs - DAY_MS, FINE_MS);
    const read = (from: Tx) =>
      readJointCounts(from, shown.workspaceId, shown.monitorKeys, { startMs, endMs: toMs }, COARSE_MS);
    const isUsable = known && known.startMs <= startMs && known.toMs >= dayStart(nowMs);
    if (!isUsable) return keep(this.#old, key, { untilMs: nowMs + OLD_KEPT_MS, startMs, toMs, read: read(tx) });
    known.untilMs = nowMs + OLD_KEPT_MS;
    const again = { untilMs: known.untilMs, startMs, toMs, read: this.db.read(read) };
    again.read.then(
      () => this.#old.set(key, again),
      () => (known.untilMs = nowMs + DAY_KEPT_MS),
    );
    return known;
  }
}

async function readBoth(tx: Tx, { workspaceId, monitorKeys }: Shown, period: JointPeriod): Promise<PageAvailability> {
  const spans = await readJointSpans(tx, workspaceId, monitorKeys, period);
  const counts = await readJointCounts(tx, workspaceId, monitorKeys, period, FINE_MS);
  return { spans, counts };
}

/** For all who ask from now on; a failure is not kept. */
function keep<T>(cache: BoundedCache<string, Past<T>>, key: string, made: Past<T>): Past<T> {
  cache.set(key, made);
  made.read.catch(() => cache.delete(key));
  return made;
}

function dayStart(nowMs: number): number {
  return floor(nowMs - DAY_MS - OVERLAP_MS, FINE_MS);
}

function keyOf({ workspaceId, monitorKeys }: Shown): string {
  return `${workspaceId} ${monitorKeys.join()}`;
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
