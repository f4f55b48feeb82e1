import { createHash } from 'node:crypto';
import { Html, html } from '../../../platform/http/html.js';
import { lengthText, momentText } from '../../../platform/pages/moment-text.js';
import { certificateSection } from './certificate-section.js';
import { daySection } from './day-section.js';
import { dnsSection } from './dns-section.js';
import { attemptsSection, latencySection, opinionsSection } from './evidence-sections.js';
import { MOST_BYTES, PAGE_LIMITS, type PageLimits } from './page-limits.js';
import { PAGE_STYLE } from './page-style.js';
import { endOf, type IncidentPage, SHOWN_FOR_DAYS } from './read-incident-page.js';
import { createShown, type Shown } from './shown.js';
import { timelineSection } from './timeline-section.js';
import { troubleWords } from './words.js';

const STYLE_ELEMENT = new Html(`<style>${PAGE_STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** It runs nothing, loads nothing, is framed nowhere, kept by nobody and found by no search. */
export const INCIDENT_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
} as const;

/** One incident for people: what is wrong at a glance, then why to believe it. At most `MOST_BYTES`, whatever was seen. */
export function incidentDocument(page: IncidentPage): string {
  let text = '';
  for (const limits of PAGE_LIMITS) {
    text = documentWithin(page, limits);
    if (Buffer.byteLength(text) <= MOST_BYTES) break;
  }
  return text;
}

function documentWithin(page: IncidentPage, limits: PageLimits): string {
  const { incident, subject, evidence, secrets, nameOf, day, nowMs } = page;
  const zone = subject.timezone;
  const startedMs = Date.parse(incident.started);
  const shown = createShown(secrets, zone, startedMs);
  const title = shown.text(
    `${subject.name} ${isOver(page) ? troubleWords(incident).was : troubleWords(incident).is}`,
    240,
  );
  const failures = evidence.failures.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));
  return squeeze(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <title>${title}</title>
          ${STYLE_ELEMENT}
        </head>
        <body>
          <header>
            <p class="soft">${shown.text(subject.workspaceName, 200)}, an incident</p>
            <h1>${title}</h1>
          </header>
          <main>
            ${glance(page, shown)} ${regionsSection(page, shown)} ${attemptsSection(failures, shown, limits)}
            ${latencySection(evidence.latency)}
            ${certificateSection(evidence.certificate, failures, shown, limits, zone)}
            ${dnsSection(evidence.dns, shown, limits)} ${opinionsSection(evidence.opinions, shown, limits)}
            ${daySection({ day, startedMs, endMs: endOf(incident, nowMs), zone })}
            ${timelineSection(incident.timeline, { shown, nameOf }, limits)}
          </main>
          <footer>
            <p>
              As of ${momentText(nowMs, zone, 'second')}. This page only shows, to whoever has its link, until
              ${SHOWN_FOR_DAYS} days after the incident is closed; load it again for what is new.
            </p>
          </footer>
        </body>
      </html> `.text,
  );
}

const isOver = ({ incident }: IncidentPage) => incident.ended !== null || incident.isClosed;

function glance(page: IncidentPage, shown: Shown): Html {
  const { incident, subject, nowMs } = page;
  const zone = subject.timezone;
  const endMs = endOf(incident, nowMs);
  const length = lengthText(endMs - Date.parse(incident.started), isOver(page) ? 'second' : 'minute');
  const tone = isOver(page) ? 'good' : incident.severity === 'down' ? 'bad' : 'warn';
  const moment = (iso: string) => html`<time datetime="${iso}">${momentText(Date.parse(iso), zone)}</time>`;
  return html`<section class="glance ${tone}" aria-label="At a glance">
    <p class="lead">${shown.text(incident.failureReason, 600)}</p>
    <p class="state">${stateOf(page)}</p>
    <dl>
      <dt>Monitor</dt>
      <dd>${shown.text(subject.name, 200)}, ${shown.text(subject.url, 300)}</dd>
      <dt>Kind</dt>
      <dd>${troubleWords(incident).kind}</dd>
      <dt>Since</dt>
      <dd>${moment(incident.started)}</dd>
      ${
        isOver(page) &&
        html`<dt>Until</dt>
          <dd>${moment(new Date(endMs).toISOString())}</dd>`
      }
      <dt>${isOver(page) ? 'Lasted' : 'For'}</dt>
      <dd>${length}</dd>
    </dl>
  </section>`;
}

function stateOf({ incident, subject, nameOf }: IncidentPage): string {
  const { isClosed, acknowledged, acknowledgedBy, acknowledgedAt, closedBy, ended } = incident;
  const by = (userId: string | null) => nameOf(userId) ?? 'a member of the workspace';
  if (isClosed) return closedBy === null ? '✓ Over, and closed by itself' : `✓ Over, closed by ${by(closedBy)}`;
  if (ended !== null) return '✓ Recovered, and open until somebody closes it';
  if (!acknowledged) return '● Open, and nobody has acknowledged it';
  const at = acknowledgedAt === null ? '' : ` on ${momentText(Date.parse(acknowledgedAt), subject.timezone)}`;
  return `● Open, acknowledged by ${by(acknowledgedBy)}${at}`;
}

function regionsSection(page: IncidentPage, shown: Shown): Html {
  const { failing } = troubleWords(page.incident);
  const words = { failing: `✕ ${failing}`, fine: '✓ OK', unknown: '? Nobody could tell' };
  return html`<section>
    <h2>By region</h2>
    <div class="card">
      <table class="regions">
        <caption>
          ${isOver(page) ? 'While it went on' : 'As of now'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Region</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          ${page.regions.map(
            ({ region, verdict, note, lastMs }) =>
              html`<tr>
                <th scope="row">${region}</th>
                <td>
                  <span class="state ${verdict}">${words[verdict]}</span>
                  <span class="soft"
                    >${note}
                    ${lastMs !== null && html`Last check${verdict === 'unknown' && ' that could tell'}: ${shown.time(lastMs)}.`}</span
                  >
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The template's own indentation is a third of the page; what stands in a `pre` keeps its blanks, and the style its hash. */
function squeeze(text: string): string {
  return text
    .split(/(<(?:pre|style)>[^]*?<\/(?:pre|style)>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\s+/g, ' ')))
    .join('');
}
