import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import { regionPlaces } from '@watchpost/shared/region';
import { lengthText, momentText } from '@watchpost/shared/design/texts';
import type { AlertMessage, IncidentSummary, MessageExtra, NotifiedEvent } from './alert-message.js';
import type { MessageLinks } from '../sending/channels.js';
import { locationName } from './event-key.js';
import { atWorst, describeChange, nameProblem } from './describe-change.js';

export const EVIDENCE_LABEL = 'See the evidence';
/** With it begins the label of a link that acknowledges. */
export const ACKNOWLEDGE_LABEL = 'Acknowledge';
const MOST_REASON = 500;

/** Composes the message about an event: what happened, since when, where it was observed, and what to do. */
export function composeMessage(
  event: NotifiedEvent,
  { baseUrl, evidenceUrl, hasButton = false, isForMembers = false }: MessageLinks,
  extra: MessageExtra = {},
): AlertMessage {
  const { monitor, incident } = event.subject;
  const change = describeChange(event);
  const links: AlertMessage['links'] = [];
  const canAcknowledge = incident !== null && isToAcknowledge(incident);
  if (extra.acknowledgeUrl?.startsWith(`${baseUrl}/`))
    links.push({ label: ACKNOWLEDGE_LABEL, url: extra.acknowledgeUrl });
  const evidence = incident && evidenceUrl(incident.id);
  if (evidence) links.push({ label: EVIDENCE_LABEL, url: evidence });
  // The URL needs an access token: the label must not promise a document to a reader on a phone.
  else if (event.type === 'location.silent' || event.type === 'location.back')
    links.push({ label: 'Private locations', url: `${baseUrl}/console/w/${event.workspaceId}/settings/locations` });
  else if (monitor && !incident) links.push({ label: 'Over REST', url: `${baseUrl}/api/v1/monitor/${monitor.id}` });
  // Behind the evidence: some services show the first link only, and acknowledge by themselves.
  if (isForMembers && canAcknowledge && extra.acknowledgeUrl === undefined)
    links.push({
      label: `${ACKNOWLEDGE_LABEL} in Watchpost`,
      url: `${baseUrl}/console/w/${event.workspaceId}/incidents/${incident.id}`,
    });
  return {
    tone: change.tone,
    title: titleOf(change.headline, event, extra),
    sentences: [...(extra.why === undefined ? [] : [extra.why]), ...change.sentences]
      .map((text) => cleanText(text).trim())
      .filter((text) => text !== ''),
    facts: factsOf(event),
    links,
    ...(hasButton && canAcknowledge ? { button: incident.id } : {}),
    thread: incident?.id ?? null,
    startsThread: event.type === 'incident.opened',
  };
}

function isToAcknowledge({ isClosed, acknowledged, ended }: IncidentSummary): boolean {
  return !isClosed && !acknowledged && ended === null;
}

/** The title of a message: a few words, and the monitor that it is about. */
export function titleOf(headline: string, { subject, detail }: NotifiedEvent, { code }: MessageExtra): string {
  if (code !== undefined) return `${code} is your code`;
  const { groupName } = detail;
  const name = cleanLine(
    subject.monitor?.name ??
      subject.incident?.monitorName ??
      locationName(detail) ??
      (typeof groupName === 'string' ? groupName : ''),
  );
  return name === '' ? headline : `${headline}: ${name}`;
}

function factsOf({ subject, atMs, type }: NotifiedEvent): AlertMessage['facts'] {
  const { monitor, incident, workspaceName } = subject;
  const facts: AlertMessage['facts'] = [];
  const add = (name: string, value: string) => facts.push({ name, value: cleanLine(value, MOST_REASON) });
  if (monitor) add('Monitor', monitor.url === null ? monitor.name : `${monitor.name} (${monitor.url})`);
  else if (incident) add('Monitor', incident.monitorName);
  // The message that opens an incident contains these in its sentences; repeated, they would hide the rest on a phone.
  if (incident && type !== 'incident.opened') {
    const started = Date.parse(incident.started);
    add('Since', momentText(started));
    if (incident.ended !== null) add('Until', momentText(Date.parse(incident.ended)));
    const end = incident.ended === null ? atMs : Date.parse(incident.ended);
    add('Duration', lengthText(end - started, 'second'));
    add('Problem', nameProblem(incident.ended === null ? incident : atWorst(incident)));
    if (incident.regions.length > 0) add('Seen from', regionPlaces(incident.regions));
    add('What was seen', incident.failureReason);
    const { dependentCount = 0 } = incident;
    if (dependentCount > 0)
      add('Failed because of it', `${dependentCount} ${dependentCount === 1 ? 'monitor' : 'monitors'}`);
  }
  add('Workspace', workspaceName);
  // Nothing is left of a name of unseen characters, and services refuse empty texts.
  return facts.filter(({ value }) => value !== '');
}
