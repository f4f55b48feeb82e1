import type { Notification } from './alert-message.js';
import type { Channels, Destination, MessageLinks } from './channels.js';
import { composeJointMessage, latestOfEach, MOST_DESCRIBED } from './compose-joint-message.js';
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
 * @param notifications one; or several that one mail or SMS contains
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
    case 'email': {
      const latest = latestOfEach(notifications);
      const message =
        latest.length > 1
          ? composeJointMessage(latest, links)
          : composeMessage(latest[0]!.event, links, latest[0]!.extra);
      return channels.mailer.send(id, mailMessage(destination.address, message), nowMs);
    }
    case 'sms': {
      const messages = notifications.map((one) => composeMessage(one.event, links, one.extra));
      return channels.sms.send(destination.address, smsSummary(messages, extra.acknowledgeAllUrl), nowMs);
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
  // The others are not described: links to the evidence of hundreds of incidents would be issued for nothing.
  const described = channel === 'sms' ? notifications.slice(-1) : latestOfEach(notifications).slice(0, MOST_DESCRIBED);
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
