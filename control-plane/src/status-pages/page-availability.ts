import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Tx } from '../db/database.js';
import type { TimelineWindow } from '../plans/index.js';
import { type MonitorCount, type MonitorSpan, readJointCounts, readJointSpans } from '../results/index.js';
import { DAY_MS, WINDOWS, windowStart } from './decide-window.js';

export interface PageAvailability {
  /** Of the last 24 hours. */
  spans: MonitorSpan[];
  /** Of the longest window asked for. */
  counts: MonitorCount[];
}

const KEPT_MS = 10 * 60_000;
const FINE_MS = WINDOWS['24h'].sampleMs;
const COARSE_MS = WINDOWS['7d'].sampleMs;
/** The fine counts reach back further than a day, by more than old counts are kept: the two always meet. */
const OVERLAP_MS = 60 * 60_000;

interface OldCounts {
  untilMs: number;
  /** Where they end and the fine ones go on. */
  toMs: number;
  counts: Promise<MonitorCount[]>;
}

/**
 * The availability of what pages show. What is older than a day hardly changes and is much to read: it is
 * counted anew every ten minutes, what is younger each time.
 */
export class PageAvailabilities {
  readonly #old = new BoundedCache<string, OldCounts>(64);

  async read(
    tx: Tx,
    workspaceId: string,
    monitorKeys: readonly number[],
    windows: readonly TimelineWindow[],
    nowMs: number,
  ): Promise<PageAvailability> {
    if (monitorKeys.length === 0) return { spans: [], counts: [] };
    const endMs = nowMs + 1;
    const spans = await readJointSpans(tx, workspaceId, monitorKeys, { startMs: nowMs - DAY_MS, endMs });
    const fineFromMs = floor(nowMs - DAY_MS - OVERLAP_MS, FINE_MS);
    const fine = await readJointCounts(tx, workspaceId, monitorKeys, { startMs: fineFromMs, endMs }, FINE_MS);
    const startMs = Math.min(...windows.map((window) => windowStart(window, nowMs)));
    if (startMs >= fineFromMs) return { spans, counts: fine };
    const old = this.#oldCounts(tx, workspaceId, monitorKeys, startMs, nowMs);
    const counts = await old.counts;
    return { spans, counts: [...counts, ...fine.filter((count) => count.startMs >= old.toMs)] };
  }

  #oldCounts(tx: Tx, workspaceId: string, monitorKeys: readonly number[], startMs: number, nowMs: number): OldCounts {
    const key = `${workspaceId} ${startMs} ${monitorKeys.join()}`;
    const kept = this.#old.get(key);
    if (kept && kept.untilMs > nowMs) return kept;
    const toMs = floor(nowMs - DAY_MS, FINE_MS);
    const made: OldCounts = {
      untilMs: nowMs + KEPT_MS,
      toMs,
      counts: readJointCounts(tx, workspaceId, monitorKeys, { startMs, endMs: toMs }, COARSE_MS),
    };
    this.#old.set(key, made);
    made.counts.catch(() => this.#old.delete(key));
    return made;
  }
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
