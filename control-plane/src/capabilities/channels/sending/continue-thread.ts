import { createHash } from 'node:crypto';
import type { MessageHandle, SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Channel, Sending } from '../channel.js';
import type { Notification, NotifiedEvent } from '../messages/alert-message.js';
import { latestOfEach } from '../messages/compose-joint-message.js';
import { composeReply, composeState } from '../messages/compose-state.js';
import type { Destination } from './channels.js';
import { isRefused } from './call-discord.js';

/**
 * Keeps one message of an incident at a destination: it is sent at the first event, and edited at later ones. What readers
 * have to notice is a reply too, because an edit notifies nobody. Where the service refuses to edit the message, such as
 * after it was deleted there, a new one takes its place. A message about several incidents is no incident's own.
 *
 * At most one message is sent in an attempt, so that its id keeps it from being sent twice where the service has such ids.
 * @returns with the handle of a message that became the incident's
 */
export async function continueThread(
  channel: Pick<Channel, 'fields' | 'send'> & Required<Pick<Channel, 'edit'>>,
  sending: Sending,
  handle: MessageHandle | null,
): Promise<SendOutcome> {
  const [{ event, extra }, ...others] = sending.notifications;
  const place = placeOf(channel, sending.destination);
  // The destination of the group was changed: people there know nothing of the message elsewhere.
  if (others.length > 0 || event.subject.incident === null || handle?.place !== place)
    return begin(channel, sending, place);
  const outcome = isEdit(event)
    ? await channel.edit(
        sending.message.byTemplate ? sending : { ...sending, message: composeState(event, sending.links, extra) },
        handle,
      )
    : null;
  if (outcome !== null && isRefused(outcome)) return begin(channel, sending, place);
  if (outcome?.kind === 'sent' && !isReply(event))
    return { ...outcome, handle, answer: `${outcome.answer} It edited the message of the incident.` };
  if (outcome !== null && outcome.kind !== 'sent') return outcome;
  const reply = await channel.send({ ...sending, message: composeReply(event, sending.links), replyTo: handle });
  if (isRefused(reply)) return begin(channel, sending, place);
  return reply.kind === 'sent' ? { ...reply, handle } : reply;
}

async function begin(channel: Pick<Channel, 'send'>, sending: Sending, place: string): Promise<SendOutcome> {
  const outcome = await channel.send(sending);
  if (outcome.kind !== 'sent' || outcome.handle === undefined) return outcome;
  const { handle, ...sent } = outcome;
  const [{ event }, ...others] = latestOfEach(sending.notifications) as [Notification, ...Notification[]];
  const isOwn = others.length === 0 && event.subject.incident !== null && isEdit(event);
  return isOwn ? { ...sent, handle: { ...handle, place } } : sent;
}

/** Whether the event changes what the message of an incident shows. */
function isEdit({ type }: NotifiedEvent): boolean {
  return type !== 'incident.note_added';
}

/** Whether the readers of a message have to notice the event. */
function isReply({ type, detail }: NotifiedEvent): boolean {
  return (
    type === 'incident.note_added' ||
    type === 'incident.resolved' ||
    (type === 'incident.updated' && ['recovered', 'relapsed', 'reminded'].includes(detail['change'] as string))
  );
}

/** Identifies a destination by all that is no credential; digested, because the URL of a chat is a secret too. */
function placeOf(channel: Pick<Channel, 'fields'>, { fields = {} }: Destination): string {
  const where = channel.fields.flatMap(({ name, kind }) => (kind === 'secret' ? [] : [fields[name] ?? null]));
  return createHash('sha256').update(JSON.stringify(where)).digest('base64url').slice(0, 16);
}
