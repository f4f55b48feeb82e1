import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { int4 } from '../../../platform/db/clamp.js';
import type { KeptDetail, LastAnswer, AnswerSubject } from './detect-detail-change.js';
import type { NoticeMemory } from './dedupe-notice.js';
import type { SeriesKey } from '../series/series.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

export interface SeriesAnswer extends LastAnswer, SeriesKey {}

export interface DetailOfRegion extends KeptDetail {
  region: Region;
}

/** A new state; `knownHash` is that of the stored answer. */
export interface NewSeriesAnswer extends SeriesAnswer {
  knownHash: string | null;
}

export interface DetailSubject extends Omit<AnswerSubject, 'target'> {
  monitorKey: number;
  workspaceId: string;
  monitorTypes: MonitorType[];
  checkedFrom: Region[];
  sslTarget: string;
  dnsTarget: string;
  expiryThresholdDays: number[] | null;
  notices: NoticeMemory | null;
}

/** What SSL and DNS checks read, of many monitors at once, as ingest writes it. */
export const detailStore = {
  /**
   * Locks and reads the last answers of these series, in the order of their keys. An answer with the given hash is not read,
   * because most checks read the same as the one before.
   */
  async lockLastAnswers(tx: Tx, series: readonly (SeriesKey & { hash: string | null })[]): Promise<SeriesAnswer[]> {
    const rows = await tx.query<LastAnswer & { monitorKey: number; kindCode: number; regionCode: number }>(
      `SELECT known.monitor_key AS "monitorKey", known.kind AS "kindCode", known.region AS "regionCode", target, ${MS('checked_at')} AS "checkedAtMs",
         ${MS('started_at')} AS "startedAtMs", message, ${MS('answered_at')} AS "answeredAtMs", known.hash,
         CASE WHEN known.hash = wanted.hash THEN NULL ELSE answer END AS answer, seen
       FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::uuid[]) AS wanted (monitor_key, kind, region, hash)
       JOIN last_answer known ON known.monitor_key = wanted.monitor_key AND known.kind = wanted.kind
         AND known.region = wanted.region
       ORDER BY known.monitor_key, known.kind, known.region FOR UPDATE OF known`,
      [
        series.map(({ monitorKey }) => monitorKey),
        series.map(({ kind }) => CHECK_KIND_CODES[kind]),
        series.map(({ region }) => regionCode(region)),
        series.map(({ hash }) => hash),
      ],
    );
    return rows.map(({ kindCode, regionCode: code, ...row }) => ({
      ...row,
      kind: kindCode === CHECK_KIND_CODES.ssl ? 'ssl' : 'dns',
      region: regionOfCode(code),
    }));
  },

  /** The monitors with these keys, and the notices about them. */
  async subjects(tx: Tx, monitorKeys: readonly number[]): Promise<DetailSubject[]> {
    return tx.query<DetailSubject>(
      `SELECT monitor_key AS "monitorKey", subject.workspace_id AS "workspaceId", is_enabled AS "isChecked", monitor_types AS "monitorTypes",
         checked_from AS "checkedFrom",
         ${MS('checks_changed')} AS "changedMs", url AS "sslTarget",
         concat_ws(' ', url, settings -> 'dns' -> 'resolvers') AS "dnsTarget", settings -> 'ssl' -> 'expiryThresholdDays' AS "expiryThresholdDays",
         memory AS notices
       FROM verdict_subject subject LEFT JOIN notified_change USING (monitor_key)
       WHERE monitor_key = ANY ($1)`,
      [monitorKeys],
    );
  },

  /** Existing rows of results stay as they are. */
  async keep(tx: Tx, details: readonly DetailOfRegion[], latest: readonly NewSeriesAnswer[]): Promise<void> {
    await tx.query(
      `WITH detail AS MATERIALIZED (
         SELECT key, 'epoch'::timestamptz + ms * interval '1 ms' AS scheduled_at, 'epoch'::timestamptz + day_ms * interval '1 ms' AS day,
           hash, content, response_us, kind, region, changes
         FROM jsonb_to_recordset($1::jsonb) AS row (key bigint, ms bigint, day_ms bigint, hash uuid, content jsonb,
           response_us integer, kind smallint, region smallint, changes jsonb)
       ), answer AS (
         INSERT INTO check_answer (monitor_key, day, hash, content)
         SELECT DISTINCT ON (key, day, hash) key, day, hash, content FROM detail WHERE content IS NOT NULL
         ORDER BY key, day, hash
         ON CONFLICT DO NOTHING
       ), kept AS (
         INSERT INTO check_detail (monitor_key, scheduled_at, hash, response_us, kind, region, changes)
         SELECT key, scheduled_at, hash, response_us, kind, region, changes FROM detail ORDER BY key, kind, region, scheduled_at
         ON CONFLICT DO NOTHING
       )
       INSERT INTO last_answer (monitor_key, kind, region, target, checked_at, started_at, message, answered_at, hash, answer, seen)
       SELECT key, kind, region, target, checked, started, message, answered, hash, answer, seen
       FROM jsonb_to_recordset($2::jsonb) AS row (key bigint, kind smallint, region smallint, target text, checked timestamptz, started timestamptz,
         message text, answered timestamptz, hash uuid, answer jsonb, seen jsonb)
       ORDER BY key, kind, region
       ON CONFLICT (monitor_key, kind, region) DO UPDATE SET target = excluded.target, checked_at = excluded.checked_at,
         started_at = excluded.started_at, message = excluded.message, answered_at = excluded.answered_at,
         hash = excluded.hash, seen = excluded.seen,
         answer = CASE WHEN excluded.hash = last_answer.hash THEN last_answer.answer ELSE excluded.answer END`,
      [jsonText(details.map(detailRow)), jsonText(latest.map(lastAnswerRow))],
    );
  },

  /** Locks and reads the notices about these monitors, in the order of their keys; creates missing rows. */
  async lockNotices(
    tx: Tx,
    monitors: readonly { monitorKey: number; workspaceId: string }[],
  ): Promise<Map<number, NoticeMemory>> {
    const keys = monitors.map(({ monitorKey }) => monitorKey);
    await tx.query(
      `INSERT INTO notified_change (monitor_key, workspace_id)
       SELECT key, workspace FROM unnest($1::bigint[], $2::uuid[]) AS monitor (key, workspace) ORDER BY key
       ON CONFLICT DO NOTHING`,
      [keys, monitors.map(({ workspaceId }) => workspaceId)],
    );
    const rows = await tx.query<{ key: number; memory: NoticeMemory }>(
      'SELECT monitor_key AS key, memory FROM notified_change WHERE monitor_key = ANY ($1) ORDER BY monitor_key FOR UPDATE',
      [keys],
    );
    return new Map(rows.map(({ key, memory }) => [key, memory]));
  },

  async saveNotices(tx: Tx, notices: ReadonlyMap<number, NoticeMemory>): Promise<void> {
    await tx.query(
      `UPDATE notified_change SET memory = row.memory::jsonb
       FROM unnest($1::bigint[], $2::text[]) AS row (key, memory) WHERE monitor_key = row.key`,
      [[...notices.keys()], [...notices.values()].map((memory) => jsonText(memory))],
    );
  },

  /** The monitors were deleted; their history is kept until the end of retention. */
  async forget(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM last_answer WHERE monitor_key = ANY ($1)', [monitorKeys]);
    await tx.query('DELETE FROM notified_change WHERE workspace_id = $1 AND monitor_key = ANY ($2)', [
      workspaceId,
      monitorKeys,
    ]);
  },
};

function detailRow({ result, region, hash, content, changes, isStored }: DetailOfRegion) {
  const { key, scheduledAtMs, detail } = result;
  return {
    key: key.monitorKey,
    ms: scheduledAtMs,
    day_ms: Math.floor(scheduledAtMs / DAY_MS) * DAY_MS,
    hash,
    // Left out rather than null, which is a value in JSON.
    ...(isStored ? {} : { content }),
    response_us: detail?.kind === 'dns' ? int4(detail.responseUs) : 0,
    kind: CHECK_KIND_CODES[key.kind],
    region: regionCode(region),
    ...(changes === null ? {} : { changes }),
  };
}

function lastAnswerRow({ monitorKey, kind, region, knownHash, hash, answer, seen, ...last }: NewSeriesAnswer) {
  const { target, checkedAtMs, startedAtMs, message, answeredAtMs } = last;
  return {
    key: monitorKey,
    kind: CHECK_KIND_CODES[kind],
    region: regionCode(region),
    target,
    checked: new Date(checkedAtMs),
    started: new Date(startedAtMs),
    message,
    answered: answeredAtMs === null ? null : new Date(answeredAtMs),
    hash,
    ...(answer === null || hash === knownHash ? {} : { answer }),
    ...(seen === null ? {} : { seen }),
  };
}
