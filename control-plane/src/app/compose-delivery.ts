import type { Platform } from './platform.js';
import { createChannels, type EvidenceSubject, noMailer } from '../capabilities/channels/index.js';
import {
  DeliveryMetrics,
  deliveryRoutes,
  DeliveryWorker,
  issueEvidenceLinks,
  purgeDeliveries,
  purgeAcknowledgeLinks,
} from '../capabilities/delivery/index.js';
import { IS_PAGE_DUE, pageDuePeople, previewRoutes } from '../capabilities/paging/index.js';
import {
  sendConfirmationRequests,
  IS_REQUEST_DUE,
  messagePreviewRoutes,
  addUnaskedRecipients,
  purgeRecipients,
} from '../capabilities/recipients/index.js';
import type { Route } from '../platform/http/route.js';
import { createLocalMailer } from '../embedded/mailbox/local-mailbox.js';
import { mailboxRoutes } from '../embedded/mailbox/mailbox-routes.js';
import { addTimelineEntries } from '../capabilities/incidents/index.js';
import type { RecurringJob } from '../platform/jobs/job-runner.js';
import { JoinedWork } from '../platform/jobs/joined-work.js';
import type { PeriodicTask } from '../platform/jobs/periodic-task.js';

/** The most links to evidence that are issued at once. */
const MOST_LINKS = 128;

/** How alerts and mail leave the house: the worker that sends them, and the routes that show it. */
export function composeDelivery(
  platform: Platform,
  baseUrl: string,
): { worker: DeliveryWorker; routes: Route[]; periodicTasks: PeriodicTask[]; jobs: RecurringJob[] } {
  const { config, db, clock, logger, registry, secretBox } = platform;
  const evidenceLinks = new JoinedWork(
    (subjects: readonly EvidenceSubject[]) =>
      db.transaction((tx) => issueEvidenceLinks({ clock, secretBox, baseUrl }, tx, subjects), {
        startsWithWork: true,
        byIndex: true,
      }),
    MOST_LINKS,
  );
  const deps = {
    db,
    clock,
    logger,
    secretBox,
    recipientVerification: config.recipientVerification,
    channels: createChannels({
      settings: config,
      mailerWithoutServer: config.production ? noMailer : createLocalMailer({ db, logger }),
      baseUrl,
      issueEvidenceLink: (subject) => evidenceLinks.do(subject),
    }),
    metrics: new DeliveryMetrics(registry),
    addTimelineEntries,
    random: Math.random,
  };
  const hasSms = config.twilio !== null;
  // Only users of this machine reach the embedded provider: they may read the mailbox.
  const isTrial = config.oidc === null && config.smtpUrl === null && !config.production;
  return {
    worker: new DeliveryWorker(deps),
    routes: [
      ...deliveryRoutes(deps),
      ...previewRoutes({ ...deps, hasSms }),
      ...messagePreviewRoutes({ db, clock, baseUrl }),
      ...(isTrial ? mailboxRoutes({ db, baseUrl }) : []),
    ],
    periodicTasks: [
      {
        name: 'page_due',
        everyMs: 1_000,
        isDue: IS_PAGE_DUE,
        run: async () => void (await pageDuePeople({ ...deps, baseUrl, hasSms })),
      },
      {
        name: 'ask_recipients',
        everyMs: 2_000,
        isDue: IS_REQUEST_DUE,
        run: async () => void (await sendConfirmationRequests({ ...deps, baseUrl })),
      },
    ],
    jobs: [
      { name: 'purge_deliveries', cron: '13 4 * * *', run: () => purgeDeliveries({ db, clock }) },
      {
        name: 'note_unasked_recipients',
        cron: '3 * * * *',
        run: () => db.transaction((tx) => addUnaskedRecipients(deps, tx, null)),
      },
      { name: 'purge_recipients', cron: '53 3 * * *', run: () => purgeRecipients({ db, clock }) },
      { name: 'purge_page_links', cron: '33 * * * *', run: () => purgeAcknowledgeLinks({ db, clock }) },
    ],
  };
}
