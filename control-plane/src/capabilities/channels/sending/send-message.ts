import type { Channel } from '../channel.js';
import type { AlertMessage, Notification } from '../messages/alert-message.js';
import type { Channels, Destination, IssueEvidenceLink, MessageLinks } from './channels.js';
import {
  composeJointMessage,
  itemsAsSentences,
  latestOfEach,
  MOST_DESCRIBED,
} from '../messages/compose-joint-message.js';
import { composeMessage } from '../messages/compose-message.js';
import { hasAllOf } from '../presses/service-call.js';
import { channelOf } from '../registry.js';
import { composeByTemplate } from '../templates/compose-by-template.js';
import { continueThread } from './continue-thread.js';
import type { MessageHandle, SendOutcome } from '../../../platform/mail/send-outcome.js';

/** A message to a destination. */
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
  let composed: ReturnType<typeof messageOf> | undefined;
  const sending = {
    ...{ channels, destination, id, notifications, links, nowMs },
    // Webhooks compose their own.
    get message() {
      composed ??= messageOf(channel, destination, notifications, links);
      return composed.message;
    },
  };
  const outcome = await (channel.edit
    ? continueThread({ ...channel, edit: channel.edit }, sending, handle)
    : channel.send(sending));
  if (composed === undefined || composed.failure === null) return outcome;
  return { ...outcome, answer: `${outcome.answer} The template failed, so the text is ours: ${composed.failure}.` };
}

/** A message about several incidents is never made by a template. @returns why the template failed, or null */
function messageOf(
  { isPersonal }: Pick<Channel, 'isPersonal'>,
  { template }: Destination,
  notifications: readonly [Notification, ...Notification[]],
  links: MessageLinks,
): { message: AlertMessage; failure: string | null } {
  const latest = latestOfEach(notifications);
  if (latest.length > 1) {
    const joint = composeJointMessage(latest, links);
    return { message: isPersonal ? joint : itemsAsSentences(joint), failure: null };
  }
  const [{ event, extra }] = latest as [Notification];
  const message = composeMessage(event, links, extra);
  return template === undefined ? { message, failure: null } : composeByTemplate(template, message, event, links);
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
