import type { Notification } from '../messages/alert-message.js';
import type { Channels, Destination, IssueEvidenceLink, MessageLinks } from './channels.js';
import { latestOfEach, MOST_DESCRIBED } from '../messages/compose-joint-message.js';
import { hasAllOf } from '../presses/service-call.js';
import { channelOf } from '../registry.js';
import { type Composed, composeForGroup } from '../templates/compose-by-template.js';
import { continueThread } from './continue-thread.js';
import type { MessageHandle, SendOutcome } from '../../../platform/mail/send-outcome.js';

/** The beginning of what the answer to a delivery has about its template. */
export const TEMPLATE_FAILED = 'The template failed, so the text is ours';

export interface Outgoing {
  destination: Destination;
  /** The same at every attempt. */
  id: string;
  /** One; or several that one message contains. */
  notifications: readonly [Notification, ...Notification[]];
  /** The message of the incident at this destination, as the outcome of an earlier call returned it. */
  handle?: MessageHandle | null;
}

/**
 * Makes one attempt to send a message. Where the destination has a message of the incident already, that one is edited.
 * @throws only internal errors
 */
export async function sendMessage(
  channels: Channels,
  issueEvidenceLink: IssueEvidenceLink,
  { destination, id, notifications, handle = null }: Outgoing,
  nowMs: number,
): Promise<SendOutcome> {
  const channel = channelOf(destination.channel);
  const links = await linksOf(channels.baseUrl, issueEvidenceLink, destination, notifications);
  let composed: Composed | undefined;
  const compose = () => (composed ??= composeForGroup(channel, destination.template ?? null, notifications, links));
  const sending = {
    ...{ channels, destination, id, notifications, links, nowMs },
    // Webhooks compose their own.
    get message() {
      return compose().message;
    },
  };
  const outcome = await (channel.edit
    ? continueThread({ ...channel, edit: channel.edit }, sending, handle)
    : channel.send(sending));
  if (destination.template === undefined) return outcome;
  // The text of a call is composed when somebody answers.
  const { failure } = compose();
  return failure === null ? outcome : { ...outcome, answer: `${outcome.answer} ${TEMPLATE_FAILED}: ${failure}.` };
}

async function linksOf(
  baseUrl: string,
  issueEvidenceLink: IssueEvidenceLink,
  { channel, isMember = false, fields = {} }: Destination,
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
  const { presses, isPersonal } = channelOf(channel);
  const hasButton = presses !== undefined && hasAllOf(presses, fields);
  const isForMembers = isMember || !isPersonal;
  return { baseUrl, evidenceUrl: (incidentId) => evidence.get(incidentId), hasButton, isForMembers };
}
