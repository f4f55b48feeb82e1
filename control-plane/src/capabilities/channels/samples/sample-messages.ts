import type { IncidentSummary, MonitorSummary, Notification } from '../messages/alert-message.js';
import { composeForGroup } from '../templates/compose-by-template.js';
import { type ActionGroupType, channelOf } from '../registry.js';
import type { MessageLinks } from '../sending/channels.js';
import type { MessagePreview } from './message-preview-schemas.js';
import { SAMPLE_MONITOR, sampleDigest, sampleEvents } from './sample-events.js';

/** What sample messages are about; null: an invented monitor, an invented incident. */
export interface SampleSubject {
  workspaceName: string;
  monitor: MonitorSummary | null;
  incident: IncidentSummary | null;
}

/**
 * Composes one message for each type of event that groups of a channel are notified of, and a digest where the channel has them.
 * @param template of the group; null: it has none
 */
export function sampleMessages(
  type: ActionGroupType,
  about: SampleSubject & { workspaceId: string },
  template: string | null,
  links: MessageLinks,
  nowMs: number,
): MessagePreview[] {
  const channel = channelOf(type);
  const { skips = [], category } = channel;
  const events = sampleEvents({ ...about, monitor: about.monitor ?? SAMPLE_MONITOR }, nowMs);
  const single = events.filter((event) => !skips.includes(event.type)).map((event) => [event] as const);
  const joint = category === 'incidents' ? [] : [sampleDigest(events)];
  return [...single, ...joint].map((contained) => {
    const notifications = contained.map((event) => ({ event, extra: {} })) as [Notification, ...Notification[]];
    const { message, failure } = composeForGroup(channel, template, notifications, links);
    const { tone, title, sentences, facts, links: shown } = message;
    return {
      type: contained.length === 1 ? contained[0].type : 'digest',
      channel: type,
      ...{ tone, title, sentences, facts, links: shown },
      ...channel.render(message, notifications, links),
      templateFailure: failure,
    };
  });
}
