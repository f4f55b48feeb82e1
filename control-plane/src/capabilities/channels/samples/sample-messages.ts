import type { MonitorSummary } from '../messages/alert-message.js';
import { composeMessage } from '../messages/compose-message.js';
import { type ActionGroupType, channelOf } from '../registry.js';
import type { MessageLinks } from '../sending/channels.js';
import type { MessagePreview } from './message-preview-schemas.js';
import { SAMPLE_MONITOR, sampleEvents } from './sample-events.js';

/** Composes one message for each type of event that groups of a channel are notified of. @param monitor null: an invented one */
export function sampleMessages(
  type: ActionGroupType,
  about: { workspaceId: string; workspaceName: string; monitor: MonitorSummary | null },
  links: MessageLinks,
  nowMs: number,
): MessagePreview[] {
  const { skips = [], render } = channelOf(type);
  return sampleEvents({ ...about, monitor: about.monitor ?? SAMPLE_MONITOR }, nowMs)
    .filter((event) => !skips.includes(event.type))
    .map((event) => {
      const { tone, title, sentences, facts, links: shown } = composeMessage(event, links);
      return {
        type: event.type,
        channel: type,
        tone,
        title,
        sentences,
        facts,
        links: shown,
        ...render({ ...event }, links),
      };
    });
}
