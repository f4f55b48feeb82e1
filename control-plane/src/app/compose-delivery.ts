import { noMailer } from '../platform/mail/mailer.js';
import type { Platform } from './platform.js';
import {
  areDeliveriesStuck,
  createDeliveryDeps,
  deliveryJobs,
  deliveryRoutes,
  DeliveryWorker,
} from '../capabilities/delivery/index.js';
import { pagingTask, previewRoutes } from '../capabilities/paging/index.js';
import { confirmationTask, messagePreviewRoutes, recipientJobs } from '../capabilities/recipients/index.js';
import type { createChannels } from '../capabilities/channels/index.js';
import type { Route } from '../platform/http/route.js';
import { createLocalMailer } from '../embedded/mailbox/local-mailbox.js';
import { mailboxRoutes } from '../embedded/mailbox/mailbox-routes.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import type { PeriodicTask } from '../platform/jobs/periodic-task.js';
import { Watchdog } from '../platform/telemetry/watchdog.js';

/** How alerts and mail leave the house: the worker that sends them, and the routes that show it. */
export function composeDelivery(
  platform: Platform,
  baseUrl: string,
): {
  channels: ReturnType<typeof createChannels>;
  worker: DeliveryWorker;
  routes: Route[];
  periodicTasks: PeriodicTask[];
  jobs: RecurringJob[];
  watchdog: Watchdog | null;
} {
  const { config, db, clock, logger, registry } = platform;
  const { recipientVerification } = config;
  const mailerWithoutServer = config.production ? noMailer : createLocalMailer({ db, logger });
  const deps = createDeliveryDeps(
    { ...platform, recipientVerification },
    { settings: config, mailerWithoutServer, baseUrl },
  );
  const paging = { ...deps, baseUrl, hasSms: config.twilio !== null };
  // Only users of this machine reach the embedded provider: they may read the mailbox.
  const isTrial = config.oidc === null && config.smtpUrl === null && !config.production;
  const areStuck = () => areDeliveriesStuck({ db, clock });
  const url = config.watchdogUrl;
  const watchdog = url === null ? null : new Watchdog({ url, clock, logger, registry, areDeliveriesStuck: areStuck });
  return {
    watchdog,
    channels: deps.channels,
    worker: new DeliveryWorker(deps),
    routes: [
      ...deliveryRoutes(deps),
      ...previewRoutes(paging),
      ...messagePreviewRoutes({ db, clock, baseUrl }),
      ...(isTrial ? mailboxRoutes({ db, baseUrl }) : []),
    ],
    periodicTasks: [pagingTask(paging), confirmationTask({ ...deps, baseUrl }), ...(watchdog ? [watchdog.task] : [])],
    jobs: [...deliveryJobs(deps), ...recipientJobs(deps)],
  };
}
