import { formatDuration } from '@watchpost/shared/duration';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database, Tx } from '../db/database.js';
import { type TimelineWindow, workspaceEntitlements } from '../plans/index.js';
import { decideTimeline, type TimelineSpan } from '../results/index.js';
import { combineStatuses, decideSystemStatus } from './decide-status.js';
import { DAY_MS, decideWindow } from './decide-window.js';
import { groupSystems } from './describe-status-page.js';
import type { PageAvailabilities, PageAvailability } from './page-availability.js';
import type { PublicPageView } from './public-page-schemas.js';
import { publicPageStore, type PublishedPage, type SystemMonitorRow } from './public-page-store.js';
import { readPublicHistory, readPublicPosts } from './read-public-posts.js';
import { SLUG } from './status-page-schemas.js';
import { statusPageStore, type SystemRow } from './status-page-store.js';

export interface PublicPageDeps {
  db: Database;
  clock: Clock;
  availabilities: PageAvailabilities;
}

/** The page at an address, as anybody may see it. @throws Fault not_found, where it is not published too */
export async function readPublicPage(deps: PublicPageDeps, slug: string): Promise<PublicPageView> {
  return deps.db.read(async (tx) => {
    const page = SLUG.test(slug) ? await publicPageStore.published(tx, slug) : undefined;
    if (!page) throw new Fault('not_found', 'There is no status page at this address.');
    return putTogether(deps, tx, page);
  });
}

async function putTogether(deps: PublicPageDeps, tx: Tx, page: PublishedPage): Promise<PublicPageView> {
  const { workspaceId } = page;
  const nowMs = deps.clock.now();
  const { features } = await workspaceEntitlements(tx, workspaceId);
  const windows = features.timelineWindows;
  const systems = (await statusPageStore.systems(workspaceId, tx, [page.id])).get(page.id)!;
  const monitors = await publicPageStore.monitors(workspaceId, tx, page.id, new Date(nowMs));
  const keys = [...new Set(monitors.map(({ monitorKey }) => monitorKey))].toSorted((a, b) => a - b);
  const availability = await deps.availabilities.read(tx, { workspaceId, monitorKeys: keys }, windows, nowMs);
  const membersOf = ({ id }: SystemRow) => monitors.filter(({ systemId }) => systemId === id);
  const shown = systems.map((system) => ({
    groupIndex: system.groupIndex,
    view: describeSystem(system, membersOf(system), availability, windows, nowMs),
  }));
  const posts = { systemIds: new Set(systems.map(({ id }) => id)), nowMs };
  return {
    name: page.name,
    description: page.description,
    theme: page.theme,
    overallStatus: combineStatuses(shown.map(({ view }) => view.status)),
    updatedAt: iso(nowMs),
    groups: groupSystems(page.groupNames, shown).map((group) => ({
      name: group.name,
      systems: group.systems.map(({ view }) => view),
    })),
    activePosts: await readPublicPosts(tx, page, posts, false),
    history: page.showIncidentHistory ? await readPublicHistory(tx, page, posts, monitors) : null,
    banner: features.banner ? page.banner : null,
    timelines: describeWindows(availability, new Set(keys), windows, nowMs).timelines,
  };
}

function describeSystem(
  system: SystemRow,
  members: readonly SystemMonitorRow[],
  availability: PageAvailability,
  windows: readonly TimelineWindow[],
  nowMs: number,
): PublicPageView['groups'][number]['systems'][number] {
  const keys = new Set(members.map(({ monitorKey }) => monitorKey));
  const isGroup = system.serviceGroupId !== null;
  const { timeline, timelines } = describeWindows(availability, keys, isGroup ? windows : [], nowMs);
  return {
    id: system.id,
    name: system.name,
    status: system.overrideStatus ?? decideSystemStatus(members),
    message: system.overrideMessage,
    timeline: timeline.map(({ startMs, endMs, status }) => ({ start: iso(startMs), end: iso(endMs), status })),
    timelines: isGroup ? timelines : null,
  };
}

/** What the results of these monitors together say. */
function describeWindows(
  { spans, counts }: PageAvailability,
  keys: ReadonlySet<number>,
  windows: readonly TimelineWindow[],
  nowMs: number,
): { timeline: TimelineSpan[]; timelines: PublicPageView['timelines'] } {
  const ofThese = ({ monitorKey }: { monitorKey: number }) => keys.has(monitorKey);
  const timeline = decideTimeline(spans.filter(ofThese), nowMs - DAY_MS, nowMs);
  const own = windows.length === 0 ? [] : counts.filter(ofThese);
  const timelines = windows.map((window) => {
    const { startMs, sampleMs, uptimePercentage, samples, perDay } = decideWindow(window, nowMs, own, timeline);
    return {
      window,
      start: iso(startMs),
      end: iso(nowMs),
      sampleInterval: formatDuration(sampleMs),
      uptimePercentage,
      samples: samples.map((sample) => ({
        time: iso(sample.startMs),
        status: sample.status,
        uptimePercentage: sample.uptimePercentage,
      })),
      perDay,
    };
  });
  return { timeline, timelines };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
