import { CHECK_KIND_CODES, checkKindOfCode } from '@watchpost/shared/check';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import { checkedFrom, REGIONS, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { Tx } from '../../../platform/db/database.js';
import { latencySettings } from '../../monitors/index.js';
import type { LatencySettings } from '../warnings/decide-latency.js';
import { entitlementsOf } from '../../plans/index.js';
import { FEWEST_OWNERS } from '../trust/decide-correlated-failures.js';
import type { AssertionSettings } from '../warnings/decide-assertions.js';
import type { Side } from '../warnings/is-one-sided.js';
import { type PlaceSettings, placesOf } from './advisory-store.js';
import type { VerdictMemory, VerdictSettings, VerdictState } from './decide-verdict.js';
import {
  AWAITED_INTERVALS,
  type HealthStatus,
  type Quorum,
  type Series,
  type SeriesKey,
  type Verdict,
} from '../series/series.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

export interface SeriesRow extends Series {
  settled: boolean;
  /** The latency threshold for which it is settled; null: none. */
  slowAboveUs: number | null;
}

/** A monitor whose verdict is to be decided; its row in monitor_state is locked. */
export interface VerdictSubject {
  monitorKey: number;
  monitorId: string;
  workspaceId: string;
  name: string;
  state: VerdictState;
  decideAtMs: number | null;
  settings: Omit<VerdictSettings, 'successes'>;
  intervalMs: number;
  changedMs: number;
  latencySettings: LatencySettings;
  /** Null where no assertion only warns. */
  assertionSettings: AssertionSettings | null;
  series: SeriesRow[];
}

export interface CheckedMonitor {
  workspaceId: string;
  monitorKey: number;
  isEnabled: boolean;
  monitorTypes: MonitorType[];
  /** Private locations included. */
  regions: Region[];
  intervalMs: number;
  changedMs: number;
  checksBeforeAlert: number;
  checksBeforeRecovery: number;
}

interface SubjectRow extends PlaceSettings {
  monitorKey: number;
  monitorId: string;
  workspaceId: string;
  name: string;
  monitorTypes: MonitorType[];
  isEnabled: boolean;
  intervalMs: number;
  changedMs: number;
  quorum: Quorum;
  autoClose: boolean;
  verdict: Verdict;
  healthStatus: HealthStatus | null;
  sinceMs: number;
  decideAtMs: number | null;
  memory: VerdictMemory;
  suspects: number[];
  watched: Region[];
  coveredUntilMs: number | null;
  latency: Partial<LatencySettings>;
  assertionSettings: AssertionSettings | null;
  everyCertificate: boolean;
  series: (Omit<SeriesRow, 'region' | 'kind'> & { region: number; kind: number })[];
}

/** A series whose state the verdict takes into account, and on which side of the latency threshold; null: no threshold. */
export interface SettledSeries extends SeriesKey, Side {
  settled: boolean;
  slowAboveUs: number | null;
}

export interface ChangedVerdict {
  monitorKey: number;
  state: VerdictState;
  decideAtMs: number | null;
}

/** Verdicts of many monitors at once, of any workspace, for ingest, the sweep and the listener. */
export const verdictStore = {
  /**
   * Locks the verdicts of these monitors in the order of their keys, and creates missing rows. What is read afterwards is
   * newer than what the last decision on any of them has read. While a row is missing, none is locked: it may come before
   * others in the order, and another transaction may be creating it.
   */
  async lock(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    const locked = await tx.query(
      `SELECT 1 FROM monitor_state
       WHERE monitor_key = ANY ($1) AND (SELECT count(*) FROM monitor_state WHERE monitor_key = ANY ($1)) = $2
       ORDER BY monitor_key FOR UPDATE`,
      [monitorKeys, monitorKeys.length],
    );
    if (locked.length > 0) return;
    await tx.query(
      `INSERT INTO monitor_state (monitor_key, workspace_id, verdict_since)
       SELECT monitor_key, workspace_id, $2 FROM verdict_subject WHERE monitor_key = ANY ($1)
       ORDER BY monitor_key ON CONFLICT (monitor_key) DO NOTHING`,
      [monitorKeys, now],
    );
    await tx.query('SELECT 1 FROM monitor_state WHERE monitor_key = ANY ($1) ORDER BY monitor_key FOR UPDATE', [
      monitorKeys,
    ]);
  },

  /** The verdicts of those of these monitors that are enabled. */
  async locked(
    tx: Tx,
    monitorKeys: readonly number[],
  ): Promise<{ monitorKey: number; verdict: Verdict; decideAtMs: number | null }[]> {
    return keptStatements(tx).query(
      `SELECT monitor_key AS "monitorKey", verdict, ${MS('decide_at')} AS "decideAtMs"
       FROM monitor_state JOIN verdict_subject USING (monitor_key) WHERE monitor_key = ANY ($1) AND is_enabled`,
      [monitorKeys],
    );
  },

  /** Reads monitors and series in one statement, because round trips dominate the cost of the transaction. */
  async subjects(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<VerdictSubject[]> {
    const rows = await tx.query<SubjectRow>(
      `SELECT monitor_key AS "monitorKey", monitor_id AS "monitorId", subject.workspace_id AS "workspaceId", name,
         monitor_types AS "monitorTypes", is_enabled AS "isEnabled", enabled_regions AS "enabledRegions",
         home_region AS "homeRegion", private_locations AS locations, CASE WHEN private_locations <> '{}' THEN ARRAY(
           SELECT code FROM private_location place WHERE place.workspace_id = subject.workspace_id
             AND place.code = ANY (private_locations) AND place.reachability = 'voting') END AS voting,
         check_interval_ms AS "intervalMs", ${MS('checks_changed')} AS "changedMs", incident_quorum AS quorum,
         auto_close_incidents AS "autoClose", plan, plan_limits AS "planLimits", verdict, health_status AS "healthStatus",
         ${MS('verdict_since')} AS "sinceMs", ${MS('decide_at')} AS "decideAtMs", memory, settings -> 'latency' AS latency,
         CASE WHEN settings @> '{"http": {"assertions": [{"severity": "degraded"}]}}'
             OR settings #>> '{ping,degradedLossPercent}' IS NOT NULL OR settings #>> '{ping,maxAverageMs}' IS NOT NULL
           THEN json_build_object('alertAfter', checks_before_alert, 'recoverAfter', checks_before_recovery) END AS "assertionSettings",
         settings @> '{"ssl": {"addresses": "each", "eachMustWork": true}}' AS "everyCertificate",
         (SELECT ${MS('max(ends)')} FROM monitor_maintenance covered WHERE covered.monitor_key = subject.monitor_key
           AND covered.starts <= $3 AND covered.ends > $3::timestamptz - interval '1 day') AS "coveredUntilMs",
         ARRAY(SELECT region FROM suspect_period WHERE ended IS NULL) AS suspects,
         ARRAY(SELECT region FROM unnest($2::text[]) AS region WHERE (
           SELECT count(*) FROM (SELECT FROM region_owner WHERE region_owner.region = region.region LIMIT ${FEWEST_OWNERS}) AS few
         ) = ${FEWEST_OWNERS}) AS watched, (
           SELECT coalesce(json_agg(json_build_object('region', region, 'kind', kind, 'streak', streak, 'failing', failing,
             'stale', stale, 'settled', settled, 'slowAboveUs', slow_above_us, 'streakOutcome', CASE streak_outcome WHEN 1 THEN 'up' WHEN 2 THEN 'down' END,
             'streakSinceMs', ${MS('streak_since')}, 'conclusiveAtMs', ${MS('conclusive_at')},
             'freshUntilMs', ${MS('fresh_until')}, 'answerVerified', answer_verified, 'isPartial', is_partial,
             'answerDigest', answer_digest, 'lastMessage',
             -- the message of an SSL check that read no certificate is not about the certificate
             CASE WHEN kind <> 2 OR conclusive_at = last_scheduled_at THEN last_message END) ORDER BY kind, region), '[]')
           FROM series WHERE series.monitor_key = subject.monitor_key
         ) AS series
       FROM monitor_state JOIN verdict_subject subject USING (monitor_key)
         JOIN workspace_plan owner ON owner.workspace_id = subject.workspace_id
       WHERE monitor_key = ANY ($1) ORDER BY monitor_key`,
      [monitorKeys, REGIONS.map(({ name }) => name), now],
    );
    // The same on every row.
    const suspects = new Set(rows[0]?.suspects.map(regionOfCode));
    const watched = new Set(rows[0]?.watched);
    return rows.map(({ monitorKey, monitorId, workspaceId, name, decideAtMs, series, ...row }) => ({
      monitorKey,
      monitorId,
      workspaceId,
      name,
      decideAtMs,
      intervalMs: row.intervalMs,
      changedMs: row.changedMs,
      latencySettings: { ...latencySettings.defaults, ...row.latency },
      assertionSettings: row.assertionSettings,
      series: series.map((one) => ({
        ...one,
        region: regionOfCode(one.region),
        kind: checkKindOfCode(one.kind)!,
      })),
      state: { verdict: row.verdict, healthStatus: row.healthStatus, verdictSinceMs: row.sinceMs, memory: row.memory },
      settings: {
        isEnabled: row.isEnabled,
        // Types and regions that the plan does not cover are not run, and do not count.
        monitorTypes: row.monitorTypes.filter((type) =>
          entitlementsOf(row.plan, row.planLimits).features.monitorTypes.includes(type),
        ),
        ...placesOf(row),
        awaitedUntilMs: row.changedMs + AWAITED_INTERVALS * row.intervalMs,
        quorum: row.quorum,
        autoClose: row.autoClose,
        suspects,
        watched,
        coveredUntilMs: row.coveredUntilMs,
        everyCertificate: row.everyCertificate,
      },
    }));
  },

  /** The settings on which the series of monitors depend, by key; without those of deleted ones. */
  async checkedMonitors(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<CheckedMonitor[]> {
    const rows = await tx.query<
      Omit<CheckedMonitor, 'regions'> & Pick<PlaceSettings, 'homeRegion' | 'enabledRegions' | 'locations'>
    >(
      `SELECT workspace_id AS "workspaceId", monitor_key AS "monitorKey", is_enabled AS "isEnabled",
         enabled_regions AS "enabledRegions", home_region AS "homeRegion", private_locations AS locations,
         monitor_types AS "monitorTypes", check_interval_ms AS "intervalMs",
         ${MS('checks_changed')} AS "changedMs", checks_before_alert AS "checksBeforeAlert",
         checks_before_recovery AS "checksBeforeRecovery"
       FROM verdict_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2) ORDER BY monitor_key`,
      [workspaceId, monitorKeys],
    );
    return rows.map(({ homeRegion, enabledRegions, locations, ...row }) => ({
      ...row,
      regions: checkedFrom(homeRegion, enabledRegions, locations),
    }));
  },

  /**
   * Writes verdicts, and marks the series that they take into account as settled. Series that another batch is writing are
   * skipped: it decides after this transaction, and waiting for it could deadlock.
   */
  async save(tx: Tx, verdicts: readonly ChangedVerdict[], settled: readonly SettledSeries[]): Promise<void> {
    if (verdicts.length + settled.length === 0) return;
    await tx.query(
      // Arrays, because the planner knows their lengths.
      `WITH saved AS (
         UPDATE monitor_state SET verdict = change.verdict, health_status = health, verdict_since = since, decide_at = decide,
           memory = change.memory
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::jsonb[])
           AS change (key, verdict, health, since, decide, memory)
         WHERE monitor_key = key
       ), known AS (
         SELECT series.monitor_key, series.kind, series.region, known.settled, known.slow_above_us, known.is_slow, known.is_warning
         FROM unnest($7::bigint[], $8::smallint[], $9::smallint[], $10::boolean[], $11::integer[], $12::boolean[], $13::boolean[])
           AS known (monitor_key, kind, region, settled, slow_above_us, is_slow, is_warning)
         JOIN series USING (monitor_key, kind, region)
         ORDER BY 1, 2, 3 FOR UPDATE OF series SKIP LOCKED
       )
       UPDATE series SET settled = known.settled, slow_above_us = known.slow_above_us, is_slow = known.is_slow,
         is_warning = known.is_warning FROM known
       WHERE series.monitor_key = known.monitor_key AND series.kind = known.kind AND series.region = known.region`,
      [
        verdicts.map(({ monitorKey }) => monitorKey),
        verdicts.map(({ state }) => state.verdict),
        verdicts.map(({ state }) => state.healthStatus),
        verdicts.map(({ state }) => new Date(state.verdictSinceMs)),
        verdicts.map(({ decideAtMs }) => (decideAtMs === null ? null : new Date(decideAtMs))),
        verdicts.map(({ state }) => jsonText(state.memory)),
        settled.map(({ monitorKey }) => monitorKey),
        settled.map(({ kind }) => CHECK_KIND_CODES[kind]),
        settled.map(({ region }) => regionCode(region)),
        settled.map((series) => series.settled),
        settled.map(({ slowAboveUs }) => slowAboveUs),
        settled.map(({ isSlow }) => isSlow),
        settled.map(({ isWarning }) => isWarning),
      ],
    );
  },
};
