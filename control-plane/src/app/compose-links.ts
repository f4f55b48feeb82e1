import type { Clock } from '@watchpost/shared/clock';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/db/database.js';
import type { SecretBox } from '../platform/db/secret-box.js';
import type { CreateLimiter } from '../platform/http/rate-limiter.js';
import type { Route } from '../platform/http/route.js';
import type { createChannels } from '../capabilities/channels/index.js';
import { acknowledgeRoutes, evidenceDocumentRoutes, serviceCallRoutes } from '../capabilities/incidents/index.js';
import { newestEvidencePath } from '../capabilities/delivery/index.js';
import { calendarLinkRoutes } from '../capabilities/on-call/index.js';
import { coarsenTimeline, readAvailability, readLatency } from '../capabilities/figures/index.js';
import { VisitorLimit } from '../capabilities/status-pages/index.js';

/** More spans a day cannot be distinguished on a screen. */
const MOST_SPANS = 288;
const MOST_POINTS = 96;

/** More often no calendar program asks in an hour, on whatever number of devices. */
const READS_AN_HOUR = 120;

/** A service calls for all of its customers from few addresses. */
const CALLS_A_MINUTE = { ofAddress: 3_000, ofGroup: 300 };

/** What is open without a token: links to the evidence of an incident, the page that acknowledges it, and the calendar of a team; and the URLs that services of groups call. */
export function composeLinks(deps: {
  config: Config;
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
  baseUrl: string;
  /** Makes counts that all processes share; null where this process is the only one. */
  shareLimits: CreateLimiter | null;
  channels: ReturnType<typeof createChannels>;
}): Route[] {
  const { config, db, clock, secretBox, baseUrl, shareLimits, channels } = deps;
  const visiting = { keyPrefix: 'link-visitor', points: config.rateLimitPerMinute, windowSeconds: 60 };
  const reading = { keyPrefix: 'calendar-link', points: READS_AN_HOUR, windowSeconds: 3_600 };
  const visitors = new VisitorLimit(clock, visiting, shareLimits);
  const links = new VisitorLimit(clock, reading, shareLimits);
  const calling = { keyPrefix: 'service-caller', points: CALLS_A_MINUTE.ofAddress, windowSeconds: 60 };
  const called = { keyPrefix: 'called-group', points: CALLS_A_MINUTE.ofGroup, windowSeconds: 60 };
  const results = { db, clock, retentionDays: config.retentionRawDays };
  return [
    ...calendarLinkRoutes({ db, clock, baseUrl, limits: { visitors, links } }),
    ...serviceCallRoutes({
      ...{ db, clock, secretBox, baseUrl, channels },
      limits: {
        callers: new VisitorLimit(clock, calling, shareLimits),
        groups: new VisitorLimit(clock, called, shareLimits),
      },
    }),
    ...acknowledgeRoutes({
      db,
      clock,
      evidencePath: (workspaceId, incidentId) =>
        db.read((tx) => newestEvidencePath(secretBox, tx, workspaceId, incidentId)),
    }),
    ...evidenceDocumentRoutes({
      db,
      clock,
      secretBox,
      limit: visitors,
      async readDay(workspaceId, monitorId, period) {
        const { timeline } = await readAvailability(results, workspaceId, monitorId, period);
        const spans = timeline.map(({ start, end, status }) => ({
          startMs: Date.parse(start),
          endMs: Date.parse(end),
          status,
        }));
        const latency = await readLatency(results, workspaceId, monitorId, { ...period, points: MOST_POINTS });
        return {
          spans: coarsenTimeline(spans, MOST_SPANS).spans.map(({ startMs, endMs, status }) => ({
            start: new Date(startMs).toISOString(),
            end: new Date(endMs).toISOString(),
            status,
          })),
          latency: latency.series,
        };
      },
    }),
  ];
}
