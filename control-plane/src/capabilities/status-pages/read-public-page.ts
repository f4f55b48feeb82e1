import { formatDuration } from '@watchpost/shared/duration';
import type { Clock } from '@watchpost/shared/clock';
import { Fault, found } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { type TimelineWindow, workspaceEntitlements } from '../plans/index.js';
import { mergeTimelines, type TimelineSpan } from '../figures/index.js';
import { boundTimeline, mergeInSlices } from './decide-shown-timeline.js';
import { combineStatuses, decideSystemStatus } from './decide-status.js';
import { type Count, decideDays, decideWindow, sumCounts } from './decide-window.js';
import { groupSystems } from './describe-status-page.js';
import type { MonitorHistories, MonitorHistory } from './monitor-histories.js';
import type { BuildWork } from './build-work.js';
import { type CalendarRow, maintenanceCalendarStore } from './maintenance-calendar-store.js';
import type { PublicPageView } from './public-page-schemas.js';
import { publicPageStore, type PublishedPage, type SystemMonitorRow } from './public-page-store.js';
import { type PublicThread, readPublicHistory, readPublicPosts, readPublicThread } from './read-public-posts.js';
import { SLUG } from './status-page-schemas.js';
import { statusPageStore, type SystemRow } from './status-page-store.js';

/** How long before its start maintenance is announced. */
const ANNOUNCED_MS = 7 * DAY_MS;
/** How long maintenance that is over stays in calendars. */
const CALENDAR_PAST_MS = 30 * DAY_MS;

export interface PublicPageDeps {
  clock: Clock;
  histories: MonitorHistories;
  work: BuildWork;
}

/** The page at an address. @throws Fault not_found, where it is not published too */
export async function findPublishedPage(tx: Tx, slug: string): Promise<PublishedPage> {
  const page = SLUG.test(slug) ? await publicPageStore.published(tx, slug) : undefined;
  if (!page) throw new Fault('not_found', 'There is no status page at this address.');
  return page;
}

/** The maintenance of the page at an address, for calendar programs. @throws Fault not_found */
export async function readMaintenanceCalendar(tx: Tx, slug: string, nowMs: number): Promise<CalendarRow[]> {
  const { workspaceId, id } = await findPublishedPage(tx, slug);
  return maintenanceCalendarStore.events(workspaceId, tx, id, new Date(nowMs - CALENDAR_PAST_MS), new Date(nowMs));
}

/** The texts of a post of the page at an address. @throws Fault not_found */
export async function readThreadAt(tx: Tx, slug: string, postId: string): Promise<PublicThread> {
  return readPublicThread(tx, await findPublishedPage(tx, slug), postId);
}

/** A page as it is saved, published or not. @throws Fault not_found */
export async function findSavedPage(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<PublishedPage & { slug: string }> {
  const page = found(await publicPageStore.saved(workspaceId, tx, id), 'status page');
  return page;
}

export async function readPublicPage(
  { clock, histories, work }: PublicPageDeps,
  page: PublishedPage,
): Promise<PublicPageView> {
  const { workspaceId } = page;
  const nowMs = clock.now();
  const { features, systems, monitors } = await work.query(async (tx) => ({
    features: (await workspaceEntitlements(tx, workspaceId)).features,
    systems: (await statusPageStore.systems(workspaceId, tx, [page.id])).get(page.id)!,
    monitors: await publicPageStore.monitors(workspaceId, tx, [page.id], new Date(nowMs)),
  }));
  const windows = features.timelineWindows;
  const keys = [...new Set(monitors.map(({ monitorKey }) => monitorKey))];
  const known = await histories.read({ workspaceId, monitorKeys: keys }, windows, nowMs, work);
  const shown: { groupIndex: number; view: PublicSystem; timeline: readonly TimelineSpan[] }[] = [];
  for (const system of systems) {
    const members = monitors.filter(({ systemId }) => systemId === system.id);
    const described = await work.slice(() => describeSystem(system, members, known, windows, nowMs));
    shown.push({ groupIndex: system.groupIndex, ...described });
  }
  const timelines = await describeTogether(
    [...known.values()],
    shown.map(({ timeline }) => timeline),
    windows,
    nowMs,
    work,
  );
  const posts = { systemIds: new Set(systems.map(({ id }) => id)), nowMs };
  const news = await work.query(async (tx) => ({
    active: await readPublicPosts(tx, page, posts, false),
    upcomingMaintenance: await readMaintenance(tx, page, posts),
    past: page.showIncidentHistory ? await readPublicHistory(tx, page, posts, monitors) : null,
  }));
  return {
    name: page.name,
    description: page.description,
    theme: page.theme,
    overallStatus: combineStatuses(shown.map(({ view }) => view.status)),
    isEmpty: shown.length === 0,
    updatedAt: iso(nowMs),
    groups: groupSystems(page.groupNames, shown).map((group) => ({
      name: group.name,
      systems: group.systems.map(({ view }) => view),
    })),
    activePosts: news.active.posts,
    upcomingMaintenance: news.upcomingMaintenance,
    history: news.past?.history ?? null,
    shortenedPosts: new Set([...news.active.shortened, ...(news.past?.shortened ?? [])]),
    outageIds: news.past?.outageIds ?? new Map(),
    banner: features.banner ? page.banner : null,
    timelines,
  };
}

/** Maintenance that runs or is near, with those of its systems that the page shows. */
async function readMaintenance(
  tx: Tx,
  { workspaceId, id }: PublishedPage,
  { systemIds, nowMs }: { systemIds: ReadonlySet<string>; nowMs: number },
): Promise<PublicPageView['upcomingMaintenance']> {
  const until = new Date(nowMs + ANNOUNCED_MS);
  const rows = await publicPageStore.maintenance(workspaceId, tx, id, new Date(nowMs), until);
  return rows.map(({ name, description, starts, ends, systemIds: affected }) => ({
    name,
    description,
    start: starts.toISOString(),
    end: ends.toISOString(),
    systemIds: affected.filter((systemId) => systemIds.has(systemId)),
  }));
}

type PublicSystem = PublicPageView['groups'][number]['systems'][number];

function describeSystem(
  system: SystemRow,
  members: readonly SystemMonitorRow[],
  known: ReadonlyMap<number, MonitorHistory>,
  windows: readonly TimelineWindow[],
  nowMs: number,
): { view: PublicSystem; timeline: readonly TimelineSpan[] } {
  const histories = members.map(({ monitorKey }) => known.get(monitorKey)!);
  const timelines = histories.map(({ timeline }) => timeline);
  const timeline = boundTimeline(mergeTimelines(timelines, nowMs - DAY_MS, nowMs));
  const counts = histories.map((history) => history.counts);
  const watchedMs = members.length === 0 ? null : Math.min(...members.map(({ created }) => created.getTime()));
  const { startMs, ...days } = decideDays(
    nowMs,
    histories.flatMap(({ daily }) => daily),
    (day) => histories.every(({ maintenanceDays }) => maintenanceDays.has(day)),
    timeline,
    watchedMs,
  );
  const view: PublicSystem = {
    id: system.id,
    name: system.name,
    status: system.overrideStatus ?? decideSystemStatus(members),
    message: system.overrideMessage,
    watchedSince: watchedMs === null ? null : iso(watchedMs),
    timeline: timeline.map(({ startMs, endMs, status }) => ({ start: iso(startMs), end: iso(endMs), status })),
    days: { start: iso(startMs).slice(0, 10), ...days },
    timelines: system.serviceGroupId === null ? null : describeWindows(sumCounts(counts), timeline, windows, nowMs),
  };
  return { view, timeline };
}

async function describeTogether(
  histories: readonly MonitorHistory[],
  systemTimelines: readonly (readonly TimelineSpan[])[],
  windows: readonly TimelineWindow[],
  nowMs: number,
  work: BuildWork,
): Promise<PublicPageView['timelines']> {
  const merging = mergeInSlices(systemTimelines, nowMs - DAY_MS, nowMs);
  let timeline: readonly TimelineSpan[] = [];
  for (;;) {
    const step = await work.slice(() => merging.next());
    if (step.done) break;
    timeline = step.value;
  }
  let counts: readonly Count[] = [];
  for (const history of histories) {
    const before = counts;
    counts = await work.slice(() => sumCounts([before, history.counts]));
  }
  return work.slice(() => describeWindows(counts, timeline, windows, nowMs));
}

function describeWindows(
  counts: readonly Count[],
  timeline: readonly TimelineSpan[],
  windows: readonly TimelineWindow[],
  nowMs: number,
): PublicPageView['timelines'] {
  return windows.map((window) => {
    const { startMs, sampleMs, uptimePercentage, samples, perDay } = decideWindow(window, nowMs, counts, timeline);
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
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
