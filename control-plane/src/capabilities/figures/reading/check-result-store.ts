import type { AssertionResult } from '@watchpost/shared/assertions/assertion';
import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';

export interface CheckResultRow {
  scheduledAt: Date;
  startLagMs: number;
  region: number;
  kind: number;
  outcome: number;
  totalUs: number;
  statusCode: number;
  dnsUs: number;
  connectUs: number;
  tlsUs: number;
  firstByteUs: number;
  transferUs: number;
  phase: string | null;
  reason: string | null;
  message: string | null;
  address: string | null;
  assertions: AssertionResult[] | null;
}

/** Which results of a monitor; kinds, regions and outcomes as codes. */
export interface CheckResultFilter {
  from: Date;
  to: Date;
  region: number | null;
  kind: number | null;
  outcome: number | null;
}

const MATCHING = `FROM result_row(ARRAY[$2::bigint], $3, $4) result
  WHERE monitor_key = (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = $2) AND ($5::smallint IS NULL OR region = $5) AND ($6::smallint IS NULL OR kind = $6)
    AND ($7::smallint IS NULL OR outcome = $7)`;

export const checkResultStore = {
  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
    { from, to, region, kind, outcome }: CheckResultFilter,
    page: Rows,
  ): Promise<ListPage<CheckResultRow>> {
    const values = [workspaceId, monitorKey, from, to, region, kind, outcome];
    const total = await tx.value<number>(`SELECT count(*) ${MATCHING}`, values);
    const rows = await tx.query<CheckResultRow>(
      `WITH page AS MATERIALIZED (
         SELECT * ${MATCHING} ORDER BY scheduled_at DESC, kind, region LIMIT $8 OFFSET $9
       )
       SELECT page.scheduled_at AS "scheduledAt", start_lag_ms AS "startLagMs", page.region, page.kind, outcome, total_us AS "totalUs",
         status_code AS "statusCode", dns_us AS "dnsUs", connect_us AS "connectUs", tls_us AS "tlsUs",
         first_byte_us AS "firstByteUs", transfer_us AS "transferUs", phase, reason, message, address,
         evidence -> 'assertions' AS assertions
       FROM page LEFT JOIN check_failure failure ON failure.monitor_key = page.monitor_key AND failure.scheduled_at = page.scheduled_at
         AND failure.kind = page.kind AND failure.region = page.region
         -- the same bounds again, so that the partitions of other days are not opened
         AND failure.scheduled_at >= $3 AND failure.scheduled_at < $4 AND outcome IN (1, 2)
       ORDER BY page.scheduled_at DESC, page.kind, page.region`,
      [...values, page.limit, page.offset],
    );
    return { items: rows, total };
  },
};
