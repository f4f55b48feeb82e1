import { CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';
import type { CheckAnswer } from './check-answer.js';
import type { DnsChange } from './dns-schemas.js';
import type { ResultKey } from '../series/series.js';

const ANSWER = `JOIN check_answer answer ON answer.monitor_key = detail.monitor_key AND answer.hash = detail.hash
  AND answer.day = date_trunc('day', detail.scheduled_at, 'UTC')`;

/** The answer of a failing check, and that of the last good check before it in the region. */
export interface AnswerAround extends ResultKey {
  content: CheckAnswer | null;
  before: CheckAnswer | null;
  beforeAtMs: number | null;
}

export interface HistoryRow {
  region: Region;
  startedAtMs: number;
  /** null where it read nothing. */
  content: CheckAnswer | null;
  responseUs: number | null;
  changes: DnsChange[] | null;
  /** null where it succeeded. */
  message: string | null;
}

export const answerHistoryStore = {
  async around(tx: Tx, keys: readonly ResultKey[]): Promise<AnswerAround[]> {
    if (keys.length === 0) return [];
    const rows = await tx.query<{
      place: number;
      content: CheckAnswer | null;
      before: { content: CheckAnswer; atMs: number } | null;
    }>(
      `SELECT place, (
         SELECT content FROM check_detail detail ${ANSWER}
         WHERE detail.monitor_key = key AND detail.scheduled_at = wanted.scheduled_at AND detail.kind = wanted.kind
           AND detail.region = wanted.region
       ) AS content, (
         SELECT jsonb_build_object('content', content, 'atMs', (extract(epoch FROM detail.scheduled_at) * 1000)::bigint)
         FROM check_detail detail ${ANSWER}
           CROSS JOIN LATERAL result_row(ARRAY[detail.monitor_key], detail.scheduled_at, detail.scheduled_at + interval '1 ms') result
         WHERE detail.monitor_key = key AND detail.scheduled_at < wanted.scheduled_at AND detail.kind = wanted.kind
           AND detail.region = wanted.region AND result.outcome = 1
           AND result.kind = wanted.kind AND result.region = wanted.region
         ORDER BY detail.scheduled_at DESC LIMIT 1
       ) AS before
       FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::timestamptz[])
         WITH ORDINALITY AS wanted (key, kind, region, scheduled_at, place) ORDER BY place`,
      [
        keys.map(({ monitorKey }) => monitorKey),
        keys.map(({ kind }) => CHECK_KIND_CODES[kind]),
        keys.map(({ region }) => regionCode(region)),
        keys.map(({ scheduledAtMs }) => new Date(scheduledAtMs)),
      ],
    );
    return rows.map(({ place, content, before }) => ({
      ...keys[place - 1]!,
      content,
      before: before?.content ?? null,
      beforeAtMs: before?.atMs ?? null,
    }));
  },

  /** Conclusive checks of a kind, newest first. The list page is selected from the results alone, then joined. */
  async list(
    workspaceId: string,
    tx: Tx,
    { monitorKey, kind, from, to }: { monitorKey: number; kind: CheckKind; from: Date; to: Date },
    { limit, offset }: Rows,
  ): Promise<ListPage<HistoryRow>> {
    const checks = `FROM result_row(ARRAY[$2::bigint], $4, $5)
      WHERE monitor_key = (SELECT monitor_key FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = $2)
        AND kind = $3 AND outcome IN (1, 2)`;
    const values = [workspaceId, monitorKey, CHECK_KIND_CODES[kind], from, to];
    const rows = await tx.query<Omit<HistoryRow, 'region'> & { code: number }>(
      `WITH listed AS MATERIALIZED (
         SELECT monitor_key, scheduled_at, kind, region, start_lag_ms ${checks}
         ORDER BY scheduled_at DESC, region LIMIT $6 OFFSET $7
       )
       SELECT region AS code, (extract(epoch FROM scheduled_at) * 1000)::bigint + start_lag_ms AS "startedAtMs",
         content, response_us AS "responseUs", changes, message
       FROM listed LEFT JOIN check_detail detail USING (monitor_key, scheduled_at, kind, region)
         LEFT JOIN check_failure failure USING (monitor_key, scheduled_at, kind, region)
         LEFT JOIN check_answer answer ON answer.monitor_key = listed.monitor_key AND answer.hash = detail.hash
           AND answer.day = date_trunc('day', scheduled_at, 'UTC')
       ORDER BY scheduled_at DESC, region`,
      [...values, limit, offset],
    );
    const items = rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
    return { items, total: await tx.value(`SELECT count(*) ${checks}`, values) };
  },
};
