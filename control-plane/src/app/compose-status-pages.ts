import type { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/db/database.js';
import type { DocumentSection } from '../platform/documents/document-section.js';
import type { SecretBox } from '../platform/db/secret-box.js';
import type { CreateLimiter } from '../platform/http/rate-limiter.js';
import type { Route } from '../platform/http/route.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import type { PeriodicTask } from '../platform/jobs/periodic-task.js';
import {
  HAS_MAINTENANCE_NEWS,
  HAS_OUTAGE_NEWS,
  IS_NOTICE_OPEN,
  postRoutes,
  previewRoutes,
  PageBuilds,
  PublicPages,
  publicPageRoutes,
  purgeSubscribers,
  siteRoutes,
  sendNotices,
  statusPageRoutes,
  statusPageSection,
  subscriberRoutes,
  NoticeTurns,
  notifyMaintenance,
  notifyOutages,
  VisitorLimit,
} from '../capabilities/status-pages/index.js';

/** Each asks for a mail to somebody: an address may have as many sent in an hour as it may ask in a second else, and at least these. */
const LEAST_SUBSCRIPTIONS_AN_HOUR = 10;

/** Status pages: what their operators set, what visitors see, and who hears of it. */
export function composeStatusPages(deps: {
  config: Config;
  db: Database;
  clock: Clock;
  registry: Registry;
  secretBox: SecretBox;
  baseUrl: string;
  /** Makes counts that all processes share; null where this process is the only one. */
  shareLimits: CreateLimiter | null;
}): { routes: Route[]; section: DocumentSection; periodicTasks: PeriodicTask[]; jobs: RecurringJob[] } {
  const { config, db, clock, shareLimits } = deps;
  const pages = new PublicPages({
    db,
    clock,
    builds: new PageBuilds(db, deps.registry),
    retentionDays: config.retentionRawDays,
  });
  const visiting = { keyPrefix: 'visitor', points: config.rateLimitPerMinute, windowSeconds: 60 };
  const visitors = { pages, limit: new VisitorLimit(clock, visiting, shareLimits) };
  const turns = new NoticeTurns();
  const operators = { db, clock, onPageChanged: (slug: string) => pages.forget(slug) };
  const subscribing = {
    keyPrefix: 'subscribing',
    points: Math.max(LEAST_SUBSCRIPTIONS_AN_HOUR, Math.floor(config.rateLimitPerMinute / 60)),
    windowSeconds: 3_600,
  };
  return {
    routes: [
      ...statusPageRoutes(operators),
      ...previewRoutes({ db, pages }),
      ...postRoutes(operators),
      ...publicPageRoutes(visitors),
      ...siteRoutes({ ...visitors, baseUrl: deps.baseUrl }),
      ...subscriberRoutes({ ...deps, limit: new VisitorLimit(clock, subscribing, shareLimits) }),
    ],
    section: statusPageSection(operators),
    periodicTasks: [
      {
        name: 'notify_subscribers_of_outages',
        everyMs: 5_000,
        isDue: HAS_OUTAGE_NEWS,
        run: () => notifyOutages(deps),
      },
      {
        name: 'notify_subscribers_of_maintenance',
        everyMs: 10_000,
        isDue: HAS_MAINTENANCE_NEWS,
        run: () => notifyMaintenance(deps),
      },
      {
        name: 'notify_subscribers_of_posts',
        everyMs: 2_000,
        isDue: IS_NOTICE_OPEN,
        run: () => sendNotices(deps, turns),
      },
    ],
    jobs: [{ name: 'purge_unconfirmed_subscribers', cron: '23 * * * *', run: () => purgeSubscribers(deps) }],
  };
}
