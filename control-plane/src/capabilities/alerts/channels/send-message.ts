import type { Notification } from './alert-message.js';
import type { Channels, Destination, MessageLinks } from './channels.js';
import { composeMessage } from './compose-message.js';
import { mailMessage } from './mail-message.js';
import { isOutcome, judgeStatus, postBody } from './post-body.js';
import { renderBody } from './render-message.js';
import type { SendOutcome } from './send-outcome.js';
import { smsSummary } from './sms-text.js';
import { signatureHeaders } from './webhook-body.js';

const USER_AGENT = 'Watchpost-Webhook/1';
/** Office 365 connectors answer 200 with this in the body when Teams refused the message. */
const TEAMS_ERROR = /returned HTTP error (\d{3})/;

/**
 * Makes one attempt to send a message.
 * @param id of the message, the same at every attempt
 * @param notifications one, or several throttled ones that are sent as one SMS
 * @throws only internal errors
 */
export async function sendMessage(
  channels: Channels,
  destination: Destination,
  id: string,
  notifications: readonly [Notification, ...Notification[]],
  nowMs: number,
): Promise<SendOutcome> {
  const [{ event, extra }] = notifications;
  const links = await linksOf(channels, destination, notifications);
  switch (destination.channel) {
    case 'email':
      return channels.mailer.send(id, mailMessage(destination.address, composeMessage(event, links, extra)), nowMs);
    case 'sms': {
      const messages = notifications.map((one) => composeMessage(one.event, links, one.extra));
      return channels.sms.send(destination.address, smsSummary(messages), nowMs);
    }
    case 'webhook': {
      const body = renderBody('webhook', notifications[0], links);
      const signed = signatureHeaders(event.id, nowMs, body, destination.secrets);
      return post(channels, destination.url, { ...destination.headers, ...signed }, body, nowMs);
    }
    case 'slack':
    case 'teams': {
      const body = renderBody(destination.channel, notifications[0], links);
      return post(channels, destination.url, {}, body, nowMs);
    }
  }
}

async function linksOf(
  { baseUrl, issueEvidenceLink }: Channels,
  { channel }: Destination,
  notifications: readonly Notification[],
): Promise<MessageLinks> {
  const evidence = new Map<string, string | undefined>();
  for (const { event } of notifications) {
    const { incident } = event.subject;
    if (incident && !evidence.has(incident.id))
      evidence.set(
        incident.id,
        await issueEvidenceLink({ workspaceId: event.workspaceId, incidentId: incident.id, channel }),
      );
  }
  return { baseUrl, evidenceUrl: (incidentId) => evidence.get(incidentId) };
}

async function post(
  { outbound, tryMs }: Channels,
  url: string,
  given: Readonly<Record<string, string>>,
  body: string,
  nowMs: number,
): Promise<SendOutcome> {
  const own = Object.keys(given).some((name) => name.toLowerCase() === 'user-agent')
    ? {}
    : { 'user-agent': USER_AGENT };
  const headers = { ...own, ...given, 'content-type': 'application/json' };
  const answer = await postBody({
    url,
    headers,
    body,
    dispatcher: outbound,
    nowMs,
    ...(tryMs === undefined ? {} : { tryMs }),
  });
  if (isOutcome(answer)) return answer;
  const outcome = judgeStatus(answer);
  const refused = outcome.kind === 'sent' ? TEAMS_ERROR.exec(answer.body) : null;
  if (refused)
    return { kind: 'failed', statusCode: Number(refused[1]), answer: `The chat refused it (${refused[1]}).` };
  return outcome;
}
