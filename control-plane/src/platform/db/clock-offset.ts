import type { Registry } from 'prom-client';
import { SECOND_MS } from '@watchpost/shared/time';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Tx } from './database.js';

/** Clocks that differ by so much are worth a warning. */
const NOTABLE_MS = 5 * SECOND_MS;

/**
 * How far the clock of this machine is ahead of the database's, ms; negative where it is behind. Not by the clock that tests
 * move: that one is meant to differ.
 */
export async function readClockOffset(tx: Tx): Promise<number> {
  const askedMs = Date.now();
  const [row] = await tx.query<{ atMs: number }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "atMs"`,
  );
  return decideClockOffset(askedMs, row!.atMs, Date.now());
}

/**
 * The least by which two clocks differ, ms: of one that showed `askedMs` before and `answeredMs` after the other showed
 * `atMs`. A slow answer proves no difference, and `Date.now` leaves out a part of a ms.
 */
export function decideClockOffset(askedMs: number, atMs: number, answeredMs: number): number {
  return askedMs > atMs ? askedMs - atMs : Math.min(0, answeredMs + 1 - atMs);
}

/** A sentence for operators, or null where the clocks agree. */
export function describeClockOffset(offsetMs: number): string | null {
  if (Math.abs(offsetMs) < NOTABLE_MS) return null;
  const seconds = Math.round(Math.abs(offsetMs) / SECOND_MS);
  return (
    `The clock of this process is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's: ` +
    'it follows that one, but keep the clocks of both machines right with NTP.'
  );
}

/** Registers the metrics of the offset, and of whether the database answers: one statement at each scrape. */
export function showClockOffset(registry: Registry, db: { read(work: typeof readClockOffset): Promise<number> }): void {
  const { shown } = metricsOn(registry);
  let reading: Promise<number | null> | undefined;
  // One statement for both. While the database is unavailable the other metrics are still served.
  const read = () =>
    (reading ??= db
      .read(readClockOffset)
      .catch(() => null)
      .finally(() => (reading = undefined)));
  shown('watchpost_database_up', '1 while the database answers this process, 0 while it does not', async () =>
    (await read()) === null ? 0 : 1,
  );
  shown(
    'watchpost_clock_offset_seconds',
    "How far the clock of this process is ahead of the database's; negative where it is behind",
    async () => {
      const offsetMs = await read();
      return offsetMs === null ? null : offsetMs / SECOND_MS;
    },
  );
}
