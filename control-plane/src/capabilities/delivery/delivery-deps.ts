import type { Logger } from 'pino';
import type { Tx } from '../../platform/db/database.js';
import type { AlertDeps } from './alert-deps.js';
import type { Channels } from '../channels/index.js';
import type { DeliveryMetrics } from './sending/delivery-metrics.js';

/** An entry that delivery or paging adds to the timeline of an incident. */
export interface TimelineNote {
  workspaceId: string;
  incidentId: string;
  event: { type: 'notified' | 'notification_failed' | 'paged'; atMs: number; detail: Record<string, unknown> };
}

/** The dependencies of delivery. */
export interface DeliveryDeps extends AlertDeps {
  channels: Channels;
  metrics: DeliveryMetrics;
  logger: Logger;
  /** Adds to the timelines of incidents, which are a slice above this one. */
  addTimelineEntries(tx: Tx, notes: readonly TimelineNote[]): Promise<void>;
  /** In [0, 1): for the jitter of retries. */
  random(): number;
}
