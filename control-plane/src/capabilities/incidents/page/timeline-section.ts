import { type Html, html } from '../../../platform/http/html.js';
import type { IncidentView } from '../describe-incident.js';
import type { PageLimits } from './page-limits.js';
import { personName } from './read-incident-page.js';
import type { Shown } from './shown.js';

type Event = IncidentView['timeline'][number];
export interface Teller {
  shown: Shown;
  nameOf(userId: string | null): string | null;
}

interface Line {
  at: string;
  words: string;
}

const CHANNELS: Readonly<Record<string, string>> = {
  email: 'email',
  sms: 'SMS',
  webhook: 'webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};
/** Messages that went out together are told as one. */
const TOGETHER_MS = 60_000;

/** What happened in the incident, oldest first. */
export function timelineSection(timeline: readonly Event[], teller: Teller, limits: PageLimits): Html {
  const lines = tellTimeline(timeline, teller);
  const left = Math.max(0, lines.length - limits.events);
  return html`<section>
    <h2>Timeline</h2>
    ${left > 0 && html`<p class="soft">${left} earlier events are left out.</p>`}
    <ol class="timeline">
      ${lines.slice(left).map(({ at, words }) => html`<li>${teller.shown.time(at)}<span>${teller.shown.text(words, limits.valueChars)}</span></li>`)}
    </ol>
  </section>`;
}

/** The events in words: whom messages went to stays with the workspace. */
export function tellTimeline(timeline: readonly Event[], teller: Teller): Line[] {
  const lines: Line[] = [];
  let told: { line: Line; counts: Map<string, number> } | null = null;
  for (const event of timeline) {
    if (event.type !== 'notified') {
      const words = tellEvent(event, teller);
      if (words !== null) lines.push({ at: event.at, words });
      told = null;
      continue;
    }
    if (!told || Date.parse(event.at) - Date.parse(told.line.at) > TOGETHER_MS) {
      told = { line: { at: event.at, words: '' }, counts: new Map() };
      lines.push(told.line);
    }
    const channel = channelOf(event);
    told.counts.set(channel, (told.counts.get(channel) ?? 0) + 1);
    const counted = [...told.counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
    told.line.words = `Told by ${counted.join(', ')}.`;
  }
  return lines;
}

function tellEvent({ type, actor, detail }: Event, { shown, nameOf }: Teller): string | null {
  const who = nameOf(actor) ?? (actor === null ? 'The service' : 'A member of the workspace');
  const said = (value: unknown) => (typeof value === 'string' ? shown.text(value, 300) : '');
  switch (type) {
    case 'opened':
      return `The incident opened.${detail['earlierIncidentId'] === undefined ? '' : ' The one before had closed less than five minutes earlier.'}`;
    case 'region_failed':
      return `${said(detail['region'])} fails. ${said(detail['message'])}`.trim();
    case 'region_recovered':
      return `${said(detail['region'])} is fine again.`;
    case 'acknowledged':
      return `${who} acknowledged it${via(detail)}.`;
    case 'unacknowledged':
      return `${who} took the acknowledgement back${via(detail)}.`;
    case 'status_changed':
      return `The status is ${said(detail['status'])}${actor === null ? (detail['reason'] === undefined ? '' : `: ${said(detail['reason'])}`) : `, set by ${who}`}.`;
    case 'note_added':
      return `${who} added a note${via(detail)}.`;
    case 'notification_failed':
      // What a mail server answers names the mailbox: the reason of a page that was not sent is a sentence of ours.
      return detail['channel'] === undefined
        ? said(detail['reason'])
        : `A message by ${channelOf({ detail })} did not arrive.`;
    case 'paged':
      return `Paged: ${peopleOf(detail)} (${said(detail['team'])}).`;
    case 'recovered':
      return 'It recovered.';
    case 'closed':
      if (typeof detail['reason'] === 'string') return `It was closed. ${said(detail['reason'])}`;
      return detail['automatic'] === true ? 'It closed by itself.' : `${who} closed it${via(detail)}.`;
    default:
      return null;
  }
}

function via(detail: Readonly<Record<string, unknown>>): string {
  if (detail['via'] === 'page') return ' by the link in a page';
  return detail['via'] === undefined ? '' : ' through an assistant';
}

function channelOf({ detail }: Pick<Event, 'detail'>): string {
  return CHANNELS[String(detail['channel'])] ?? 'message';
}

function peopleOf({ people }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(people)) return 'somebody';
  const names = (people as { name?: unknown }[]).map(
    ({ name }) => (typeof name === 'string' ? personName(name) : null) ?? 'a member of the workspace',
  );
  return names.join(', ');
}
