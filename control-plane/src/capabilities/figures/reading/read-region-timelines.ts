import { notFound } from '@watchpost/shared/fault';
import { regionCode, regionOfCode } from '@watchpost/shared/region';
import { bucketStore } from '../rollup/bucket-store.js';
import { readSeriesOutcomes, TIMED_KIND } from '../rollup/read-outcomes.js';
import { keptFrom } from '../rollup/retention.js';
import { chartStore } from './chart-store.js';
import type { RegionTimelines } from './check-result-schemas.js';
import { decideBar } from './decide-bar.js';
import { readCoveredTime } from '../../maintenance/index.js';
import { coverTimeline, decideTimeline } from './decide-timeline.js';
import { regionSpans } from './read-joint-availability.js';
import { reportedRegions, type ReportDeps } from './read-availability.js';
import { type PeriodQuery, reportPeriod } from './report-period.js';

/** The timeline of each region of a monitor in at most `steps` steps. @throws Fault not_found, validation_failed */
export async function readRegionTimelines(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  { steps, ...query }: PeriodQuery & { steps: number },
): Promise<RegionTimelines> {
  const now = { nowMs: deps.clock.now(), retentionDays: deps.retentionDays };
  const { startMs, endMs } = reportPeriod(query, now);
  const stepMs = Math.ceil((endMs - startMs) / steps / 1_000) * 1_000;
  const slots = { startMs, stepMs, slots: Math.ceil((endMs - startMs) / stepMs) };
  return deps.db.read(async (tx) => {
    const [monitor] = await bucketStore.monitors(workspaceId, tx, { monitorId }, { startMs, endMs });
    if (!monitor) throw notFound('monitor');
    const [about] = await chartStore.monitors(workspaceId, tx, [monitor.monitorKey]);
    const series = await readSeriesOutcomes(tx, workspaceId, [monitor], { startMs, endMs }, keptFrom(now).hoursFromMs);
    const covered = await readCoveredTime(tx, workspaceId, [monitor.monitorKey], { startMs, endMs });
    const inPeriod = series
      .filter(({ spans }) => spans.length > 0)
      .map(({ region }) => ({ region: regionOfCode(region) }));
    const bar = (ones: typeof series) => {
      const firstsMs = ones.flatMap(({ spans }) => spans[0]?.startMs ?? []);
      const firstResultMs = firstsMs.length === 0 ? null : Math.min(...firstsMs);
      const timeline = coverTimeline(
        decideTimeline(regionSpans(ones), startMs, endMs),
        covered.get(monitor.monitorKey) ?? [],
      );
      return decideBar(timeline, slots, about && { ...about, firstResultMs });
    };
    return {
      monitorId,
      periodStart: new Date(startMs).toISOString(),
      periodEnd: new Date(endMs).toISOString(),
      stepSeconds: stepMs / 1_000,
      states: bar(series),
      regions: (series.some(({ kind }) => kind === TIMED_KIND) ? [] : reportedRegions(monitor.regions, inPeriod)).map(
        (region) => ({
          region,
          // It shows what is seen from there, whether it counts for the verdict or not.
          states: bar(
            series.filter((one) => one.region === regionCode(region)).map((one) => ({ ...one, advisory: false })),
          ),
        }),
      ),
    };
  });
}
