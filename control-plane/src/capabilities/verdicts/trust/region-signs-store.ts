import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { SUSPECT_WINDOW_MS } from './decide-correlated-failures.js';
import type { RegionSign, RegionSigns } from './decide-hold.js';
import { isAnswered } from './failing-series-store.js';

/** A table of up to so many blocks, some 20,000 series, is read whole … */
const WHOLE_BLOCKS = 512;
/** … and of a larger one so many blocks, from a random one on. */
const SAMPLE_BLOCKS = 2_048;
/** The most sites of all regions that are read. */
const MOST_SIGNS = 10_000;

export const regionSignsStore = {
  /**
   * What the checks of regions have reached and missed since a moment, which is given for each region. The cost is
   * limited, however many series there are: large tables are sampled.
   * @param alike the digests of answers that look alike on unrelated sites
   */
  async read(
    tx: Tx,
    since: ReadonlyMap<Region, number>,
    alike: readonly number[],
    nowMs: number,
  ): Promise<Map<Region, RegionSigns>> {
    const size = await tx.value<number>(
      `SELECT pg_relation_size('series') / current_setting('block_size')::integer AS blocks`,
    );
    const isWhole = size <= WHOLE_BLOCKS;
    const first = isWhole ? 0 : Math.floor(Math.random() * Math.max(1, size - SAMPLE_BLOCKS));
    const rows = await tx.query<RegionSign & { code: number }>(
      `SELECT series.region AS code, owner_id AS owner, suspect.site,
         (extract(epoch FROM max(last_started_at) FILTER (WHERE is_after AND is_reached)) * 1000)::float8 AS "reachedMs",
         (extract(epoch FROM max(last_started_at) FILTER (WHERE is_after AND NOT is_reached)) * 1000)::float8 AS "missedMs",
         coalesce(bool_or(streak_outcome = 2 AND streak_since > $4 AND NOT ${isAnswered('$8')}), false) AS "isFailing",
         (extract(epoch FROM min(coalesce(last_scheduled_at, 'epoch') + check_interval_ms * interval '1 ms')) * 1000)::float8 AS "dueMs"
       FROM series JOIN unnest($1::smallint[], $2::timestamptz[]) AS wanted (region, since) ON wanted.region = series.region
         JOIN suspect_subject suspect USING (monitor_key) JOIN verdict_subject USING (monitor_key),
         LATERAL (SELECT last_started_at > since AS is_after, last_outcome = 1 OR last_outcome = 2 AND ${isAnswered('$8')} AS is_reached) AS of
       WHERE series.ctid >= $5::tid AND series.ctid < $6::tid AND kind = ANY ($3) AND counts_from < 'infinity'
         AND ($7 OR last_started_at > since)
       GROUP BY 1, 2, 3 LIMIT ${MOST_SIGNS}`,
      [
        [...since.keys()].map(regionCode),
        [...since.values()].map((ms) => new Date(ms)),
        AVAILABILITY_CODES,
        new Date(nowMs - SUSPECT_WINDOW_MS),
        `(${first},0)`,
        `(${first + SAMPLE_BLOCKS},0)`,
        isWhole,
        alike,
      ],
    );
    const isComplete = isWhole && rows.length < MOST_SIGNS;
    const signs = new Map([...since.keys()].map((region) => [region, [] as RegionSign[]]));
    for (const { code, ...sign } of rows) signs.get(regionOfCode(code))!.push(sign);
    return new Map([...signs].map(([region, own]) => [region, { signs: own, isComplete }]));
  },
};
