import { CHECK_KIND_CODES, checkKindOfCode, type CheckKind } from '@watchpost/shared/check';
import { notFound } from '@watchpost/shared/fault';
import { OUTCOME_CODES, type OutcomeKind } from '@watchpost/shared/outcome';
import { regionOfCode } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import { type ListPage, mapPage, type Rows } from '../../../platform/db/tx.js';
import type { ReportDeps } from './read-availability.js';
import type { CheckResultView } from './check-result-schemas.js';
import type { RequestedPeriod } from './report-period.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { placeCodeOf } from '../../locations/index.js';
import { checkResultStore, type CheckResultRow } from './check-result-store.js';

export interface CheckResultsQuery extends RequestedPeriod {
  region?: string | undefined;
  kind?: CheckKind | undefined;
  outcome?: OutcomeKind | undefined;
}

/** Single results of a monitor, newest first: of the last 24 hours without dates. @throws Fault not_found, validation_failed */
export async function readCheckResults(
  { db, clock, retentionDays }: ReportDeps,
  workspaceId: string,
  monitorId: string,
  { startDate, endDate, region, kind, outcome }: CheckResultsQuery,
  page: Rows,
): Promise<ListPage<CheckResultView>> {
  const nowMs = clock.now();
  const endMs = Math.min(endDate ?? nowMs + DAY_MS, nowMs + DAY_MS);
  const startMs = Math.max(startDate ?? Math.min(endMs, nowMs) - DAY_MS, nowMs - (retentionDays + 1) * DAY_MS);
  const filter = {
    from: new Date(startMs),
    to: new Date(endMs),
    kind: kind === undefined ? null : CHECK_KIND_CODES[kind],
    outcome: outcome === undefined ? null : OUTCOME_CODES[outcome],
  };
  return db.read(async (tx) => {
    const [monitor] = await bucketStore.monitors(workspaceId, tx, { monitorId }, { startMs, endMs });
    if (!monitor) throw notFound('monitor');
    const code = region === undefined ? null : await placeCodeOf(tx, workspaceId, region);
    const matching = { ...filter, region: code };
    return mapPage(await checkResultStore.page(workspaceId, tx, monitor.monitorKey, matching, page), describe);
  });
}

const OUTCOME_OF = new Map(Object.entries(OUTCOME_CODES).map(([kind, code]) => [code as number, kind as OutcomeKind]));
const ms = (us: number) => us / 1_000;

function describe(row: CheckResultRow): CheckResultView {
  const packets = row.kind === CHECK_KIND_CODES.ping ? { sent: row.connectUs, received: row.tlsUs } : null;
  return {
    scheduledAt: row.scheduledAt.toISOString(),
    startLag: row.startLagMs,
    region: regionOfCode(row.region),
    kind: checkKindOfCode(row.kind)!,
    outcome: OUTCOME_OF.get(row.outcome)!,
    responseTime: ms(row.totalUs),
    statusCode: row.statusCode === 0 ? null : row.statusCode,
    phases: {
      dns: ms(row.dnsUs),
      connect: ms(packets ? 0 : row.connectUs),
      tls: ms(packets ? 0 : row.tlsUs),
      firstByte: ms(row.firstByteUs),
      transfer: ms(row.transferUs),
    },
    packets,
    failure:
      row.phase === null
        ? null
        : { phase: row.phase, reason: row.reason ?? '', message: row.message ?? '', address: row.address },
    assertions: row.assertions,
  };
}
