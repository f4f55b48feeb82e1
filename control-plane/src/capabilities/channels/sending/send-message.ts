import type { Notification } from '../messages/alert-message.js';
import type { Channels, Destination, IssueEvidenceLink, MessageLinks } from './channels.js';
import { latestOfEach, MOST_DESCRIBED } from '../messages/compose-joint-message.js';
import { channelOf } from '../registry.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/**
 * Makes one attempt to send a message.
 * @param id of the message, the same at every attempt
 * @param notifications one; or several that one mail or SMS contains
 * @throws only internal errors
 */
export async function sendMessage(
  channels: Channels,
  issueEvidenceLink: IssueEvidenceLink,
  destination: Destination,
  id: string,
  notifications: readonly [Notification, ...Notification[]],
  nowMs: number,
): Promise<SendOutcome> {
  const links = await linksOf(channels.baseUrl, issueEvidenceLink, destination, notifications);
  return channelOf(destination.channel).send({ channels, destination, id, notifications, links, nowMs });
}

async function linksOf(
  baseUrl: string,
  issueEvidenceLink: IssueEvidenceLink,
  { channel }: Destination,
  notifications: readonly Notification[],
): Promise<MessageLinks> {
  const described =
    channelOf(channel).described?.(notifications) ?? latestOfEach(notifications).slice(0, MOST_DESCRIBED);
  const evidence = new Map<string, string | undefined>();
  await Promise.all(
    described.map(async ({ event: { workspaceId, subject } }) => {
      if (!subject.incident) return;
      const { id: incidentId } = subject.incident;
      evidence.set(incidentId, await issueEvidenceLink({ workspaceId, incidentId, channel }));
    }),
  );
  return { baseUrl, evidenceUrl: (incidentId) => evidence.get(incidentId) };
}
