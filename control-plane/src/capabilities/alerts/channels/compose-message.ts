import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import { lengthText, momentText } from '../../../platform/pages/moment-text.js';
import type { AlertMessage, MessageExtra, NotifiedEvent } from './alert-message.js';
import type { MessageLinks } from './channels.js';
import { describeChange } from './describe-change.js';

/** What the link to an incident's evidence is called, in every message. */
export const EVIDENCE_LABEL = 'See the evidence';
const MOST_REASON = 500;

/** Says an event to people: what happened, since when, where it was seen, and what to do. */
export function composeMessage(
  event: NotifiedEvent,
  { baseUrl, evidenceUrl }: MessageLinks,
  extra: MessageExtra = {},
): AlertMessage {
  const { monitor, incident } = event.subject;
  const said = describeChange(event);
  const { groupName } = event.detail;
  const name = cleanLine(monitor?.name ?? incident?.monitorName ?? (typeof groupName === 'string' ? groupName : ''));
  const links: AlertMessage['links'] = [];
  if (extra.acknowledgeUrl?.startsWith(`${baseUrl}/`)) links.push({ label: 'Acknowledge', url: extra.acknowledgeUrl });
  const evidence = incident && evidenceUrl(incident.id);
  if (evidence) links.push({ label: EVIDENCE_LABEL, url: evidence });
  // The address takes an access token: the label must not promise a page to somebody with a phone.
  else if (monitor && !incident) links.push({ label: 'Over REST', url: `${baseUrl}/api/v1/monitor/${monitor.id}` });
  return {
    tone: said.tone,
    title: titleOf(said.what, name, extra),
    sentences: [...(extra.why === undefined ? [] : [extra.why]), ...said.sentences].map((text) => cleanText(text)),
    facts: factsOf(event),
    links,
    thread: incident?.id ?? null,
    startsThread: event.type === 'incident.opened',
  };
}

function titleOf(what: string, name: string, { code }: MessageExtra): string {
  if (code !== undefined) return `${code} is your code`;
  return name === '' ? what : `${what}: ${name}`;
}

function factsOf({ subject, atMs, type }: NotifiedEvent): AlertMessage['facts'] {
  const { monitor, incident, workspaceName } = subject;
  const facts: AlertMessage['facts'] = [];
  const add = (name: string, value: string) => facts.push({ name, value: cleanLine(value, MOST_REASON) });
  if (monitor) add('Monitor', `${monitor.name} (${monitor.url})`);
  else if (incident) add('Monitor', incident.monitorName);
  // What opens an incident says in sentences since when, where and what: told twice it only hides the rest on a phone.
  if (incident && type !== 'incident.opened') {
    const started = Date.parse(incident.started);
    add('Since', momentText(started));
    if (incident.ended !== null) add('Until', momentText(Date.parse(incident.ended)));
    const end = incident.ended === null ? atMs : Date.parse(incident.ended);
    add('Duration', lengthText(end - started, 'second'));
    if (incident.regions.length > 0) add('Seen from', incident.regions.join(', '));
    add('What was seen', incident.failureReason);
  }
  add('Workspace', workspaceName);
  return facts;
}
