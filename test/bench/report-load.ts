import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { systemClock } from '@watchpost/shared/clock';
import { HOME_REGION, regionCode } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { rollUpResults } from '@watchpost/control-plane/capabilities/figures/index';
import { LatencyHistogram } from '@watchpost/control-plane/capabilities/figures/rollup/histogram';
import { rollupStore, type Rollup } from '@watchpost/control-plane/capabilities/figures/rollup/rollup-store';
import { encodeSpans } from '@watchpost/control-plane/capabilities/figures/rollup/span-codec';

/** Results of every monitor for every minute, in the order of their arrival. */
export async function loadRows(db: Database, keys: readonly number[], fromMs: number, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
           agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
         SELECT key, $2::timestamptz + minute * interval '1 minute' + place * interval '1 s', 40000 + hash % 20000, 1500,
           9000, 20000, 11000, 1000, 7, 2, 150, CASE WHEN hash % 2000 = 0 THEN 503 ELSE 200 END, $3::smallint,
           $4::smallint, CASE WHEN hash % 2000 = 0 THEN 2 ELSE 1 END
         FROM generate_series(0, 1439) AS minute, unnest($1::bigint[]) WITH ORDINALITY AS monitor (key, place),
           LATERAL (SELECT abs(hashint8(minute * 1000 + key + extract(epoch FROM $2::timestamptz)::bigint)) AS hash) AS random
         ORDER BY minute, place`,
        [keys, new Date(fromMs + day * DAY_MS), CHECK_KIND_CODES.http, regionCode(HOME_REGION)],
      ),
    );
  }
  await db.transaction((tx) => tx.query('ANALYZE check_result'));
}

/** Rolls up all hours at once; the product closes one after the other. @returns the duration in ms */
export async function rollUp(db: Database, keys: readonly number[], fromMs: number, untilMs: number): Promise<number> {
  const startedMs = performance.now();
  const closedUntil = Math.floor(untilMs / HOUR_MS) * HOUR_MS;
  await db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO dirty_bucket (monitor_key, starts_at, is_day)
       SELECT key, hour, false FROM unnest($1::bigint[]) AS key, generate_series($2::timestamptz, $3, '1 hour') AS hour`,
      [keys, new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS), new Date(closedUntil - HOUR_MS)],
    );
    await tx.query('UPDATE rollup_progress SET closed_until = $1', [new Date(closedUntil)]);
  });
  while ((await rollUpResults({ db, clock: systemClock })) > 0);
  return performance.now() - startedMs;
}

/** Loads rollups of hours whose rows are deleted, one in ten with a failing minute. The product makes the days from them. */
export async function loadHours(db: Database, keys: readonly number[], fromMs: number, untilMs: number): Promise<void> {
  const histogram = new LatencyHistogram();
  for (let minute = 0; minute < 60; minute++) histogram.add(40_000 + ((minute * 7_919) % 20_000));
  const encoded = histogram.encode();
  const lastDay = Math.floor(untilMs / DAY_MS) * DAY_MS;
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < lastDay; dayMs += DAY_MS) {
    const hours = keys.flatMap((key) =>
      Array.from({ length: 24 }, (_, hour) => hourOf(key, dayMs + hour * HOUR_MS, encoded)),
    );
    await db.transaction((tx) => rollupStore.write(tx, 'check_rollup', hours));
    await db.transaction((tx) =>
      tx.query('INSERT INTO dirty_bucket SELECT key, $2, true FROM unnest($1::bigint[]) AS key', [
        keys,
        new Date(dayMs),
      ]),
    );
  }
  while ((await rollUpResults({ db, clock: systemClock })) > 0);
}

function hourOf(key: number, startMs: number, histogram: Buffer): Rollup {
  const place = key * 1_000;
  const failing = (startMs / HOUR_MS + key) % 10 === 0;
  const bounds = failing ? [0, 20, 21, 60] : [0, 60];
  const spans = bounds.slice(1).map((end, index) => ({
    startMs: startMs + place + bounds[index]! * MINUTE_MS,
    endMs: startMs + place + end * MINUTE_MS,
    up: index !== 1,
  }));
  const last = spans.at(-1)!;
  last.endMs += 90_000;
  return {
    monitor_key: key,
    starts_ms: startMs,
    kind: CHECK_KIND_CODES.http,
    region: regionCode(HOME_REGION),
    total_us: 60 * 50_000,
    dns_us: 60 * 1_500,
    connect_us: 60 * 9_000,
    tls_us: 60 * 20_000,
    first_byte_us: 60 * 11_000,
    transfer_us: 60 * 1_000,
    up: failing ? 59 : 60,
    down: failing ? 1 : 0,
    inconclusive: 0,
    min_us: 40_000,
    max_us: 60_000,
    spans: encodeSpans(spans),
    histogram,
  };
}
