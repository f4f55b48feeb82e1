import { CHECK_KIND_CODES, checkKindOfCode } from '@watchpost/shared/check';
import type { PingFigures, StepResult } from '@watchpost/shared/outcome';
import { regionCode, regionOfCode } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { SeriesKey } from '../series/series.js';
import type { KnownAddress } from './decide-address-changes.js';

/** The findings of the latest check of a series at single addresses, in steps and of packets. */
export interface SeriesFindings extends SeriesKey {
  scheduledAtMs: number;
  addresses: KnownAddress[];
  /** Sentences. */
  warnings: string[];
  steps: StepResult[] | null;
  ping: PingFigures | null;
}

export function keyOfSeries({ monitorKey, kind, region }: SeriesKey): string {
  return `${monitorKey} ${kind} ${region}`;
}

/** It reads and writes those of many monitors at once, as ingest does. */
export const findingStore = {
  /** Locks and reads the rows of these series that exist, in the order of their keys. */
  async lock(tx: Tx, series: readonly SeriesKey[]): Promise<Map<string, SeriesFindings>> {
    const rows = await tx.query<
      Pick<SeriesFindings, 'monitorKey' | 'scheduledAtMs' | 'addresses' | 'warnings' | 'steps' | 'ping'> & {
        kind: number;
        region: number;
      }
    >(
      `SELECT known.monitor_key AS "monitorKey", known.kind, known.region, addresses, warnings, steps, ping,
         (extract(epoch FROM scheduled_at) * 1000)::bigint AS "scheduledAtMs"
       FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[])) AS wanted (monitor_key, kind, region)
       JOIN check_finding known USING (monitor_key, kind, region)
       ORDER BY known.monitor_key, known.kind, known.region FOR UPDATE OF known`,
      [
        series.map(({ monitorKey }) => monitorKey),
        series.map(({ kind }) => CHECK_KIND_CODES[kind]),
        series.map(({ region }) => regionCode(region)),
      ],
    );
    const read = rows.map((row): SeriesFindings => ({
      ...row,
      kind: checkKindOfCode(row.kind)!,
      region: regionOfCode(row.region),
    }));
    return new Map(read.map((row) => [keyOfSeries(row), row]));
  },

  /** Saves those whose series exist: others are not checked there. */
  async save(tx: Tx, found: readonly SeriesFindings[]): Promise<void> {
    await tx.query(
      `INSERT INTO check_finding (monitor_key, kind, region, scheduled_at, addresses, warnings, steps, ping)
       SELECT monitor_key, kind, region, 'epoch'::timestamptz + ms * interval '1 ms', addresses, warnings, steps, ping
       FROM jsonb_to_recordset($1::jsonb) AS found (monitor_key bigint, kind smallint, region smallint, ms bigint,
         addresses jsonb, warnings jsonb, steps jsonb, ping jsonb) JOIN series USING (monitor_key, kind, region)
       ORDER BY monitor_key, kind, region
       ON CONFLICT (monitor_key, kind, region) DO UPDATE SET scheduled_at = excluded.scheduled_at,
         addresses = excluded.addresses, warnings = excluded.warnings, steps = excluded.steps, ping = excluded.ping
       WHERE check_finding.scheduled_at < excluded.scheduled_at`,
      [
        jsonText(
          found.map(({ monitorKey, kind, region, scheduledAtMs, addresses, warnings, steps, ping }) => ({
            monitor_key: monitorKey,
            kind: CHECK_KIND_CODES[kind],
            region: regionCode(region),
            ms: scheduledAtMs,
            addresses,
            warnings,
            steps,
            ping,
          })),
        ),
      ],
    );
  },
};
