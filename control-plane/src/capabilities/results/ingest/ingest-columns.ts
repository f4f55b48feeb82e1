import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { OUTCOME_CODES } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { ArrangedResult } from './arrange-batch.js';
import { isBesideThePoint } from '../warnings/check-answer.js';
import { clamp, INT2_MAX, int4 } from '../series/clamp.js';
import { encodeArray, type ArrayType } from './encode-array.js';

/** Who brings a batch, and when. */
export interface IngestContext {
  now: Date;
  region: Region;
  agentKey: number;
}

/** One column a line: its name, its element type, and its value of a result. Nothing here may overflow. */
export const COLUMNS: readonly [name: string, type: ArrayType, value: (arranged: ArrangedResult) => number][] = [
  ['monitor_key', 'bigint', ({ result }) => result.key.monitorKey],
  ['scheduled_ms', 'bigint', ({ result }) => result.scheduledAtMs],
  ['start_lag_ms', 'integer', ({ result }) => clamp(result.startedAtMs - result.scheduledAtMs, -INT2_MAX, INT2_MAX)],
  ['total_us', 'integer', ({ result }) => int4(result.totalUs)],
  ['dns_us', 'integer', ({ result }) => int4(result.timings.dnsUs)],
  ['connect_us', 'integer', ({ result }) => int4(result.timings.connectUs)],
  ['tls_us', 'integer', ({ result }) => int4(result.timings.tlsUs)],
  ['first_byte_us', 'integer', ({ result }) => int4(result.timings.firstByteUs)],
  ['transfer_us', 'integer', ({ result }) => int4(result.timings.transferUs)],
  ['fresh_ms', 'integer', ({ result }) => clamp(result.freshMs, 0, INT2_MAX * 1000)],
  ['status_code', 'smallint', ({ result }) => clamp(result.statusCode ?? 0, 0, INT2_MAX)],
  ['kind', 'smallint', ({ result }) => CHECK_KIND_CODES[result.key.kind]],
  [
    'counted',
    'smallint',
    ({ result }) => (isBesideThePoint(result) ? BESIDE_THE_POINT : OUTCOME_CODES[result.outcome.kind]),
  ],
  ['round', 'integer', ({ round }) => round],
];

/** Stands for `down` on the way in, where that says nothing about what is checked: kept as it was, and counted as if nobody could tell. */
const BESIDE_THE_POINT = 4;

/** Where the columns' arrays begin among a statement's parameters; before them: now, region code, region name, agent key. */
export const FIRST_ARRAY = 5;
/**
 * The results of a batch as rows. They say their region too: a plan that is made before anybody knows how many series a
 * region has takes them for hardly any, and reads them all for every result.
 */
export const ITEMS = `(
  SELECT item.*, $2::smallint AS region, 'epoch'::timestamptz + scheduled_ms * interval '1 ms' AS scheduled_at, counted IN (1, 2) AS conclusive,
    CASE counted WHEN ${BESIDE_THE_POINT} THEN ${OUTCOME_CODES.down} ELSE counted END AS outcome
  FROM unnest(${COLUMNS.map(([, type], index) => `$${FIRST_ARRAY + index}::${type}[]`).join(', ')})
    AS item (${COLUMNS.map(([name]) => name).join(', ')})
  ORDER BY monitor_key, kind, scheduled_ms)`;

/** What the statements of ingest take. */
export function parametersOf({ now, region, agentKey }: IngestContext, results: readonly ArrangedResult[]): unknown[] {
  return [
    now,
    regionCode(region),
    region,
    agentKey,
    ...COLUMNS.map(([, type, value]) => encodeArray(results, type, value)),
  ];
}
