import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { JoinedWork } from '../../platform/jobs/joined-work.js';
import { createChannels } from '../channels/index.js';
import type { AlertDeps } from './alert-deps.js';
import { type EvidenceSubject, issueEvidenceLinks } from './links/evidence-link.js';
import { type DeliveryMetrics, deliveryMetrics } from './sending/delivery-metrics.js';

/** The most links to evidence that are issued at once. */
const MOST_LINKS = 128;

export interface DeliveryDeps extends AlertDeps {
  channels: ReturnType<typeof createChannels>;
  /** Issues the links to evidence of the messages of this process, joined. */
  evidenceLinks: JoinedWork<EvidenceSubject, string | undefined>;
  metrics: DeliveryMetrics;
  logger: Logger;
}

/** Creates what delivery needs: the channels that the operator configured, the links in their messages, and the metrics. */
export function createDeliveryDeps(
  deps: AlertDeps & { logger: Logger; registry: Registry; secretBox: SecretBox },
  configured: Parameters<typeof createChannels>[0],
): DeliveryDeps {
  const { db, clock, secretBox, logger, registry, recipientVerification } = deps;
  const links = { clock, secretBox, baseUrl: configured.baseUrl };
  return {
    ...{ db, clock, secretBox, logger, recipientVerification },
    channels: createChannels(configured),
    evidenceLinks: new JoinedWork(
      (subjects) =>
        db.transaction((tx) => issueEvidenceLinks(links, tx, subjects), { startsWithWork: true, byIndex: true }),
      MOST_LINKS,
    ),
    metrics: deliveryMetrics(registry),
  };
}
