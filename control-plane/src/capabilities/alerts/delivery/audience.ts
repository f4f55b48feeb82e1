import type { ActionGroupType } from '../action-group.js';
import { ALERT_EVENT_TYPES, type AlertEventType } from '../alert-event.js';

/** What a phone need not buzz for. */
const NOT_BY_SMS: ReadonlySet<AlertEventType> = new Set([
  'incident.acknowledged',
  'incident.note_added',
  'monitor.dns_changed',
]);

/** Which groups of a monitor hear of an event, by their channel; of what is minor, webhooks alone. */
export function hears(channel: ActionGroupType, type: AlertEventType): boolean {
  return channel !== 'sms' || !NOT_BY_SMS.has(type);
}

/** `incident.opened/email` and so on, for the database. */
export function audience(channels: readonly ActionGroupType[]): string[] {
  return ALERT_EVENT_TYPES.flatMap((type) =>
    channels.filter((channel) => hears(channel, type)).map((channel) => `${type}/${channel}`),
  );
}
