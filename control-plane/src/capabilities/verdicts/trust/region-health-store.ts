import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import { FIRST_LOCATION_CODE, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { SUSPECT_WINDOW_MS, type SiteObservation } from './decide-correlated-failures.js';
import { isAnswered } from './failing-series-store.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
/** The most sites of a region that are read: in larger regions a sample of about so many, the same each time. */
const MOST_SITES = 5_000;

/** What series and agents show of the state of regions, over all workspaces. */
export const regionHealthStore = {
  /** Regions with checks and without an agent that has sent a heartbeat since then. */
  async unattended(tx: Tx, since: Date): Promise<Region[]> {
    const [checked, heard] = [
      await tx.query<{ region: number }>(
        `SELECT DISTINCT region FROM series WHERE counts_from < 'infinity' AND region < ${FIRST_LOCATION_CODE}`,
      ),
      await tx.query<{ region: Region }>('SELECT DISTINCT region FROM agent_visibility WHERE last_seen > $1', [since]),
    ];
    const attended = new Set(heard.map(({ region }) => region));
    return checked.map(({ region }) => regionOfCode(region)).filter((region) => !attended.has(region));
  },

  /**
   * The recent observations of a region by owner and site, with those of other regions on the same monitors.
   * @param alike the digests of answers that look alike on unrelated sites
   */
  async sites(tx: Tx, region: Region, alike: readonly number[], nowMs: number): Promise<SiteObservation[]> {
    return tx.query<SiteObservation>(
      `SELECT owner_id AS owner, site, (array_agg(failed_network ORDER BY streak_since) FILTER (WHERE fails))[1] AS network,
         ${MS('min(streak_since) FILTER (WHERE fails)')} AS "failingSinceMs",
         ${MS('max(last_scheduled_at) FILTER (WHERE is_reached)')} AS "reachedMs",
         ${MS('max(last_scheduled_at) FILTER (WHERE NOT is_reached)')} AS "notReachedMs",
         CASE WHEN bool_or(down_elsewhere) THEN 'down' WHEN bool_or(up_elsewhere) THEN 'up'
           WHEN bool_or(asked_elsewhere) THEN 'pending' END AS elsewhere
       FROM (
         SELECT series.*, subject.site, subject.owner_id,
           streak_outcome = 2 AND streak_since > $2 AND NOT ${isAnswered('$6')} AS fails,
           last_outcome = 1 OR last_outcome = 2 AND ${isAnswered('$6')} AS is_reached
         FROM series JOIN suspect_subject subject USING (monitor_key)
         WHERE series.region = $1 AND series.kind = ANY ($3) AND counts_from < 'infinity' AND last_scheduled_at > $2
           AND abs(hashtextextended(subject.site, 0) % (
             SELECT greatest(1, ceil(sum(sites)::float8 / ${MOST_SITES})::bigint) FROM region_owner WHERE region_owner.region = $5)) = 0
       ) AS own
       LEFT JOIN LATERAL (
         SELECT bool_or(outcome = 1) AS up_elsewhere, bool_or(outcome = 2) AS down_elsewhere, bool_or(outcome = 0) AS asked_elsewhere
         FROM (
           SELECT CASE WHEN other.streak_outcome = 2 THEN 2 WHEN other.conclusive_at >= own.streak_since THEN 1 ELSE 0 END AS outcome
           FROM series other
           WHERE other.monitor_key = own.monitor_key AND other.kind = own.kind AND other.region <> $1 AND other.region < ${FIRST_LOCATION_CODE}
             AND NOT other.stale AND other.fresh_until > $4
             AND NOT EXISTS (SELECT FROM suspect_period period WHERE period.region = other.region AND period.ended IS NULL)
           UNION ALL
           SELECT coalesce(opinion.outcome, 0) FROM second_opinion opinion
           WHERE opinion.monitor_key = own.monitor_key AND opinion.kind = own.kind AND opinion.region = $1
             AND opinion.streak_since = own.streak_since
             -- another agent of the same region shares its network: only its success counts
             AND (opinion.asked_region IS DISTINCT FROM $1 OR opinion.outcome = 1)
             -- an opinion without an answer is pending for 30 s; without an agent to ask there is none
             AND (opinion.outcome IS NOT NULL OR opinion.answered IS NULL AND opinion.asked > $4 - interval '30 s')
         ) AS outcomes
       ) AS others ON fails
       GROUP BY owner_id, site LIMIT ${2 * MOST_SITES}`,
      [regionCode(region), new Date(nowMs - SUSPECT_WINDOW_MS), AVAILABILITY_CODES, new Date(nowMs), region, alike],
    );
  },

  /** The number of agents with a heartbeat since then, by region, and of those that are blind. */
  async agentVisibility(tx: Tx, since: Date): Promise<{ region: Region; blind: number; agents: number }[]> {
    return tx.query(
      `SELECT region, count(*) FILTER (WHERE visibility = 'blind') AS blind, count(*) AS agents
       FROM agent_visibility WHERE last_seen > $1 GROUP BY region`,
      [since],
    );
  },

  /** By region: the number of agents with a heartbeat since then, and the latest heartbeat of any. */
  async lastHeard(tx: Tx, since: Date): Promise<{ region: Region; agents: number; lastSeenMs: number | null }[]> {
    return tx.query(
      `SELECT region, count(*) FILTER (WHERE last_seen > $1) AS agents, ${MS('max(last_seen)')} AS "lastSeenMs"
       FROM agent_visibility GROUP BY region`,
      [since],
    );
  },

  async isChecked(tx: Tx, region: Region): Promise<boolean> {
    return tx.value(`SELECT EXISTS (SELECT FROM series WHERE region = $1 AND counts_from < 'infinity') AS checked`, [
      regionCode(region),
    ]);
  },
};
