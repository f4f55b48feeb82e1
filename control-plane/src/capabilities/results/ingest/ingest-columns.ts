import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { type CheckResult, isHealthy, OUTCOME_CODES } from '@watchpost/shared/outcome';
import { regionCode } from '@watchpost/shared/region';
import type { ArrangedResult } from './arrange-batch.js';
import { clamp, INT2_MAX, int4 } from '../../../platform/db/clamp.js';
import { encodeArray, type ArrayType } from './encode-array.js';

/** The columns of a batch: name, element type, and value for a result. No value may overflow its type. Of pings two columns count packets: `PACKETS`. */
export const COLUMNS: readonly [name: string, type: ArrayType, value: (arranged: ArrangedResult) => number][] = [
  ['monitor_key', 'bigint', ({ result }) => result.key.monitorKey],
  ['scheduled_ms', 'bigint', ({ result }) => result.scheduledAtMs],
  ['start_lag_ms', 'integer', ({ result }) => clamp(result.startedAtMs - result.scheduledAtMs, -INT2_MAX, INT2_MAX)],
  ['total_us', 'integer', ({ result }) => int4(result.totalUs)],
  ['dns_us', 'integer', ({ result }) => int4(result.timings.dnsUs)],
  ['connect_us', 'integer', ({ result }) => int4(result.ping?.sent ?? result.timings.connectUs)],
  ['tls_us', 'integer', ({ result }) => int4(result.ping?.received ?? result.timings.tlsUs)],
  ['first_byte_us', 'integer', ({ result }) => int4(result.timings.firstByteUs)],
  ['transfer_us', 'integer', ({ result }) => int4(result.timings.transferUs)],
  ['fresh_ms', 'integer', ({ result }) => clamp(result.freshMs, 0, INT2_MAX * 1000)],
  ['status_code', 'smallint', ({ result }) => clamp(result.statusCode ?? 0, 0, INT2_MAX)],
  ['kind', 'smallint', ({ result }) => CHECK_KIND_CODES[result.key.kind]],
  ['region', 'smallint', ({ region }) => regionCode(region)],
  [
    'counted',
    'smallint',
    ({ result }) => (isWithoutCertificate(result) ? WITHOUT_CERTIFICATE : OUTCOME_CODES[result.outcome.kind]),
  ],
  ['round', 'integer', ({ round }) => round],
  ['warns', 'smallint', ({ result }) => Number(result.outcome.kind === 'up' && !isHealthy(result.outcome))],
  ['agent_key', 'integer', ({ agentKey }) => agentKey],
];

/** The input code of a `down` without a certificate: stored as `down`, and counted as inconclusive. */
const WITHOUT_CERTIFICATE = 4;

/** The first array among the parameters of a statement; before it: now. */
const FIRST_ARRAY = 2;
/** The results of a batch as rows. */
export const ITEMS = `(
  SELECT item.*, 'epoch'::timestamptz + scheduled_ms * interval '1 ms' AS scheduled_at, counted IN (1, 2) AS conclusive,
    CASE counted WHEN ${WITHOUT_CERTIFICATE} THEN ${OUTCOME_CODES.down} ELSE counted END AS outcome
  FROM unnest(${COLUMNS.map(([, type], index) => `$${FIRST_ARRAY + index}::${type}[]`).join(', ')})
    AS item (${COLUMNS.map(([name]) => name).join(', ')})
  ORDER BY monitor_key, kind, region, scheduled_ms)`;

export function parametersOf(now: Date, results: readonly ArrangedResult[]): unknown[] {
  return [now, ...COLUMNS.map(([, type, value]) => encodeArray(results, type, value))];
}

/**
 * Decides whether an SSL check failed without reading a certificate. That the host cannot be reached is the subject of availability
 * checks, unless each address is checked and another one has its certificate.
 */
function isWithoutCertificate({ key, outcome, addresses }: CheckResult): boolean {
  if (key.kind !== 'ssl' || outcome.kind !== 'down') return false;
  if (addresses?.some(({ status }) => status === 'available')) return false;
  return outcome.reason !== 'certificate_invalid' && outcome.reason !== 'certificate_expiring';
}
