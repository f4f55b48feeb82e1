import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import { FIRST_LOCATION_CODE, REGIONS, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { FEWEST_OWNERS, SUSPECT_WINDOW_MS } from './decide-correlated-failures.js';
import { EXAMINED_SHARE, type SiteFailure } from './decide-examined.js';
import type { SiteAnswer } from './decide-look-alikes.js';

export const MOST_FAILING = 20_000;

/** Whether a series of a region, not of a private location, began to fail lately; the parameters are $1 and $2. */
const BEGAN_TO_FAIL = `streak_outcome = 2 AND streak_since > $1 AND kind = ANY ($2) AND NOT answer_verified
  AND region < ${FIRST_LOCATION_CODE}`;
export const failureParameters = (nowMs: number) => [new Date(nowMs - SUSPECT_WINDOW_MS), AVAILABILITY_CODES];

/**
 * Whether the last failure follows from an answer of the target, which shows that the region reaches it.
 * @param alike the parameter with the digests of answers that look alike on unrelated sites
 */
export const isAnswered = (alike: string) =>
  `(answer_verified OR answer_digest IS NOT NULL AND answer_digest <> ALL (${alike}::integer[]))`;

/** What a look reads of the series that began to fail lately, at most one more than `MOST_FAILING`, in no order. */
export interface FailingSeries {
  /** The keys of their monitors. */
  failingKeys: number[];
  /** The codes of their regions, in the same order. */
  failingRegions: number[];
}

/** `FailingSeries` as one row; the parameters are $1 and $2. */
export const FAILING_SERIES = `(
  SELECT coalesce(json_agg(monitor_key), '[]') AS "failingKeys", coalesce(json_agg(region), '[]') AS "failingRegions"
  FROM (SELECT monitor_key, region FROM series WHERE ${BEGAN_TO_FAIL} LIMIT ${MOST_FAILING + 1}) AS failing
)`;

/** A series of some kind, by its monitor and region. */
export interface SeriesInRegion {
  monitorKey: number;
  region: Region;
}

/** Series that began to fail lately, over all workspaces. */
export const failingSeriesStore = {
  /** Regions in which checks of enough owners began to fail lately for failures to correlate: they are to be examined. */
  async failingRegions(tx: Tx, nowMs: number): Promise<Region[]> {
    const rows = await tx.query<{ region: number }>(
      `WITH failing AS (
         SELECT series.region, subject.owner_id, count(DISTINCT subject.site) AS sites
         FROM series JOIN suspect_subject subject USING (monitor_key)
         WHERE ${BEGAN_TO_FAIL}
         GROUP BY series.region, subject.owner_id
       )
       SELECT failing.region FROM failing JOIN unnest($3::smallint[], $4::text[]) AS place (code, name) ON code = failing.region
         LEFT JOIN region_owner known ON known.owner_id = failing.owner_id AND known.region = place.name
       GROUP BY failing.region, place.name
       HAVING count(*) >= ${FEWEST_OWNERS} AND sum(failing.sites::float8 / greatest(failing.sites, known.sites)) >= ${EXAMINED_SHARE} * (
         SELECT count(*) FROM region_owner other WHERE other.region = place.name AND other.sites > 0)
       ORDER BY failing.region`,
      [...failureParameters(nowMs), REGIONS.map(({ name }) => regionCode(name)), REGIONS.map(({ name }) => name)],
    );
    return rows.map(({ region }) => regionOfCode(region));
  },

  /** The unverified answers from which failures of these regions follow that began lately; of very many, some. */
  async answers(tx: Tx, regions: readonly Region[], nowMs: number): Promise<Map<Region, SiteAnswer[]>> {
    const rows = await tx.query<SiteAnswer & { code: number }>(
      `SELECT series.region AS code, owner_id AS owner, site, failed_network AS network, answer_digest AS digest
       FROM series JOIN suspect_subject USING (monitor_key)
       WHERE ${BEGAN_TO_FAIL} AND answer_digest IS NOT NULL AND series.region = ANY ($3) LIMIT ${MOST_FAILING}`,
      [...failureParameters(nowMs), regions.map(regionCode)],
    );
    const byRegion = new Map(regions.map((region) => [region, [] as SiteAnswer[]]));
    for (const { code, ...answer } of rows) byRegion.get(regionOfCode(code))!.push(answer);
    return byRegion;
  },

  /** What each of these series counts, in their order; null where its monitor is deleted. */
  async siteFailures(tx: Tx, series: readonly SeriesInRegion[]): Promise<(SiteFailure | null)[]> {
    const rows = await tx.query<{ [Name in keyof SiteFailure]: SiteFailure[Name] | null }>(
      `SELECT subject.owner_id AS owner, subject.site, coalesce(known.sites, 0) AS "ownerSites"
       FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS series (monitor_key, region, place)
         LEFT JOIN suspect_subject subject USING (monitor_key)
         LEFT JOIN region_owner known ON known.owner_id = subject.owner_id AND known.region = series.region
       ORDER BY place`,
      [series.map(({ monitorKey }) => monitorKey), series.map(({ region }) => region)],
    );
    return rows.map(({ owner, site, ownerSites }) =>
      owner === null ? null : { owner, site: site!, ownerSites: ownerSites! },
    );
  },

  /** The number of owners with sites that are to be checked, by region. */
  async owners(tx: Tx): Promise<Map<Region, number>> {
    const rows = await tx.query<{ region: Region; owners: number }>(
      'SELECT region, count(*) AS owners FROM region_owner WHERE sites > 0 GROUP BY region',
    );
    return new Map(rows.map(({ region, owners }) => [region, owners]));
  },
};
