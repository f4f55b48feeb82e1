import type { TimelineEventType } from '../../timeline/index.js';
import { regionPlace } from '@watchpost/shared/region';
import { CHANNELS } from '../../channels/index.js';
import { type Html, html } from '../../../platform/http/html.js';
import type { Incident } from '../incident-schemas.js';
import { closingWords } from '../../../platform/pages/closing-words.js';
import type { DocumentLimits } from './document-limits.js';
import { personName } from './read-evidence-document.js';
import type { Presenter } from './presenter.js';
import { severityChangeWords } from './words.js';

type Event = Incident['timeline'][number];
export interface TimelineContext {
  shown: Presenter;
  nameOf(userId: string | null): string | null;
}

interface Line {
  at: string;
  type: TimelineEventType;
  words: string;
}

/** Notifications within this time share one line. */
const TOGETHER_MS = 60_000;

/** What happened in the incident, oldest first. */
export function timelineSection(timeline: readonly Event[], teller: TimelineContext, limits: DocumentLimits): Html {
  const lines = describeTimeline(timeline, teller);
  const left = Math.max(0, lines.length - limits.events);
  return html`<section>
    <h2>Timeline</h2>
    ${left > 0 && html`<p class="soft">${left} earlier ${left === 1 ? 'event is' : 'events are'} not shown.</p>`}
    <ol class="timeline">
      ${lines.slice(left).map(({ at, words }) => html`<li>${teller.shown.time(at)}<span>${teller.shown.text(words, limits.valueChars)}</span></li>`)}
    </ol>
  </section>`;
}

/** The events as sentences, without the recipients' addresses. */
export function describeTimeline(timeline: readonly Event[], teller: TimelineContext): Line[] {
  const lines: Line[] = [];
  let notified: { line: Line; counts: Map<string, number> } | null = null;
  for (const event of timeline) {
    if (event.type !== 'notified') {
      const words = describeEvent(event, teller);
      if (words !== null) lines.push({ at: event.at, type: event.type, words });
      notified = null;
      continue;
    }
    if (!notified || Date.parse(event.at) - Date.parse(notified.line.at) > TOGETHER_MS) {
      notified = { line: { at: event.at, type: event.type, words: '' }, counts: new Map() };
      lines.push(notified.line);
    }
    const channel = channelTitle(event.detail);
    notified.counts.set(channel, (notified.counts.get(channel) ?? 0) + 1);
    const counted = [...notified.counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
    notified.line.words = `Notified by ${counted.join(', ')}.`;
  }
  return lines;
}

function describeEvent({ type, actor, detail }: Event, { shown, nameOf }: TimelineContext): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? shown.text(value, 300) : '');
  const outsider = detail['person'] === undefined ? 'The service' : (personName(text(detail['person'])) ?? 'Somebody');
  const who = nameOf(actor) ?? (actor === null ? outsider : 'A member of the workspace');
  const place = regionPlace(text(detail['region']));
  switch (type) {
    case 'opened':
      return `The incident opened.${detail['earlierIncidentId'] === undefined ? '' : ' The one before had closed less than five minutes earlier.'}`;
    case 'region_failed':
      return `It fails from ${place}. ${text(detail['message'])}`.trim();
    case 'dependent_failed':
      // The reason may contain what only readers of that monitor may see.
      return `${text(detail['monitorName'])}, which depends on it, failed.`;
    case 'region_recovered':
      return `It works again from ${place}.`;
    case 'severity_changed':
      return severityChangeWords(detail['from'], detail['to']);
    case 'acknowledged':
      return `${who} acknowledged it${via(detail)}.`;
    case 'unacknowledged':
      return `${who} took the acknowledgement back${via(detail)}.`;
    case 'ack_expired':
      return 'The acknowledgement ended, because nobody had added a note since.';
    case 'status_changed':
      return `The status is ${text(detail['status'])}${actor === null ? (detail['reason'] === undefined ? '' : `: ${text(detail['reason'])}`) : `, set by ${who}`}.`;
    case 'note_added':
      return `${who} added a note${via(detail)}.`;
    case 'notification_failed':
      // A mail server's answer names the mailbox and is not shown; the reason of a page that was not sent is our own sentence.
      return detail['channel'] === undefined
        ? text(detail['reason'])
        : `A notification by ${channelTitle(detail)} was not delivered.`;
    case 'paged':
      return `Paged: ${peopleOf(detail)} (${text(detail['team'])}).`;
    case 'recovered':
      return 'It recovered.';
    case 'closed':
      if (typeof detail['reason'] === 'string')
        return `It was ${closingWords(text(detail['reason']), actor === null ? null : (nameOf(actor) ?? 'a member of the workspace'))}${via(detail)}.`;
      return detail['automatic'] === true ? 'It was closed because it recovered.' : `${who} closed it${via(detail)}.`;
    default:
      return null;
  }
}

function via(detail: Readonly<Record<string, unknown>>): string {
  if (detail['via'] === 'page') return ' by the link in a message';
  if (detail['via'] === 'chat' || detail['via'] === 'service') return ` in ${String(detail['client'])}`;
  return detail['via'] === undefined ? '' : ' through an assistant';
}

function peopleOf({ people, groups }: Readonly<Record<string, unknown>>): string {
  const names = (Array.isArray(people) ? (people as { name?: unknown }[]) : []).map(
    ({ name }) => (typeof name === 'string' ? personName(name) : null) ?? 'a member of the workspace',
  );
  const count = Array.isArray(groups) ? groups.length : 0;
  return [...names, ...(count > 0 ? [count === 1 ? 'a channel' : `${count} channels`] : [])].join(', ') || 'somebody';
}

/** The title of a channel in a sentence; `message` where this version does not know it. */
function channelTitle({ channel }: Record<string, unknown>): string {
  return CHANNELS.find(({ type }) => type === channel)?.title ?? 'message';
}
