import type { IncidentSummary, MonitorSummary } from '../messages/alert-message.js';
import { composeMessage } from '../messages/compose-message.js';
import { composeByTemplate } from '../templates/compose-by-template.js';
import { type ActionGroupType, channelOf } from '../registry.js';
import type { MessageLinks } from '../sending/channels.js';
import type { MessagePreview } from './message-preview-schemas.js';
import { SAMPLE_MONITOR, sampleEvents } from './sample-events.js';

/** What sample messages are about; null: an invented monitor, an invented incident. */
export interface SampleSubject {
  workspaceName: string;
  monitor: MonitorSummary | null;
  incident: IncidentSummary | null;
}

/**
 * Composes one message for each type of event that groups of a channel are notified of.
 * @param template of the group; null: it has none
 */
export function sampleMessages(
  type: ActionGroupType,
  about: SampleSubject & { workspaceId: string },
  template: string | null,
  links: MessageLinks,
  nowMs: number,
): MessagePreview[] {
  const { skips = [], render } = channelOf(type);
  return sampleEvents({ ...about, monitor: about.monitor ?? SAMPLE_MONITOR }, nowMs)
    .filter((event) => !skips.includes(event.type))
    .map((event) => {
      const ours = composeMessage(event, links);
      const { message, failure } =
        template === null ? { message: ours, failure: null } : composeByTemplate(template, ours, event, links);
      const { tone, title, sentences, facts, links: shown } = message;
      return {
        type: event.type,
        channel: type,
        tone,
        title,
        sentences,
        facts,
        links: shown,
        ...render(message, event, links),
        templateFailure: failure,
      };
    });
}
