import type { Logger } from 'pino';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertDeps } from '../alert-deps.js';
import type { Channels } from '../channels/channels.js';
import type { DeliveryMetrics } from './delivery-metrics.js';

/** Something that delivery tells on the timeline of an incident. */
export interface TimelineNote {
  workspaceId: string;
  incidentId: string;
  event: { type: 'notified' | 'notification_failed' | 'paged'; atMs: number; detail: Record<string, unknown> };
}

/** What delivering takes. */
export interface DeliveryDeps extends AlertDeps {
  channels: Channels;
  metrics: DeliveryMetrics;
  logger: Logger;
  /** Incidents are above alerts: what their timelines are told goes through this. */
  addTimelineEntries(tx: Tx, notes: readonly TimelineNote[]): Promise<void>;
  /** In [0, 1): for the jitter of retries. */
  random(): number;
}
