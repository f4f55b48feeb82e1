import { isLocation, regionPlace } from '@watchpost/shared/region';
import { type Html, html, htmlDocument } from '../../../platform/http/html.js';
import { closingWords } from '../../../platform/pages/closing-words.js';
import { lengthText, momentText } from '@watchpost/shared/design/texts';
import { certificateSection } from './certificate-section.js';
import { daySection } from './day-section.js';
import { dnsSection } from './dns-section.js';
import {
  attemptsSection,
  dependentsSection,
  domainSection,
  latencySection,
  opinionsSection,
  reportSection,
} from './evidence-sections.js';
import { MAX_DOCUMENT_BYTES, DOCUMENT_LIMITS, type DocumentLimits } from './document-limits.js';
import { STYLE } from './document-style.js';
import type { Incident } from '../incident-schemas.js';
import type { RegionVerdict } from './decide-region-verdicts.js';
import {
  AVAILABLE_FOR_DAYS,
  endOfIncident,
  type EvidenceDocumentData,
  isOver,
  personName,
} from './read-evidence-document.js';
import { markShapes, stateMark } from '../../../platform/pages/state-mark.js';
import { createPresenter, type Presenter } from './presenter.js';
import { timelineSection } from './timeline-section.js';
import { troubleWords } from './words.js';

/** No scripts, no external resources, no framing, no caching, no indexing by search engines. */
export const EVIDENCE_DOCUMENT_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE.source}; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
} as const;

/** An incident for people: what is wrong, then the evidence. Lowers the limits until it fits into `MAX_DOCUMENT_BYTES`. */
export function evidenceDocument(page: EvidenceDocumentData): string {
  let text = '';
  for (const limits of DOCUMENT_LIMITS) {
    text = documentWithin(page, limits);
    if (Buffer.byteLength(text) <= MAX_DOCUMENT_BYTES) break;
  }
  return text;
}

function documentWithin(page: EvidenceDocumentData, limits: DocumentLimits): string {
  const { incident, subject, evidence, secrets, nameOf, day, nowMs } = page;
  const zone = subject.timezone;
  const startedMs = Date.parse(incident.started);
  const shown = createPresenter(secrets, zone, startedMs);
  const title = shown.text(
    `${subject.name} ${isOver(page.incident) ? troubleWords(incident).was : troubleWords(incident).is}`,
    240,
  );
  const failures = evidence.failures.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));
  return htmlDocument(
    html`<meta name="robots" content="noindex, nofollow" />
      <title>${title}</title>
      ${STYLE.element}`,
    html`${MARK_SHAPES}
      <header>
        <p class="soft">Incident · ${shown.text(subject.workspaceName, 200)}</p>
        <h1>${title}</h1>
      </header>
      <main>
        ${glance(page, shown)} ${page.regions.length > 0 && regionsSection(page, shown)}
        ${attemptsSection(failures, shown, limits)} ${latencySection(evidence.latency)}
        ${reportSection(evidence.report, shown, limits)} ${domainSection(evidence.domain, shown, limits)}
        ${certificateSection(evidence.certificate, failures, shown, limits, zone)}
        ${dnsSection(evidence.dns, shown, limits)} ${opinionsSection(evidence.secondOpinions, shown, limits)}
        ${dependentsSection(incident, shown, limits)}
        ${daySection({ day, watchedSince: subject.created, startedMs, endMs: endOfIncident(incident, nowMs), zone })}
        ${timelineSection(incident.timeline, { shown, nameOf }, limits)}
      </main>
      <footer>
        <p>
          As of ${momentText(nowMs, zone, 'second')}; reload for news. Anyone with this link can read this document
          until ${AVAILABLE_FOR_DAYS} days after the incident is closed.
        </p>
      </footer>`,
  );
}

const MARK_SHAPES = markShapes(['available', 'partial', 'unavailable', 'unknown']);
const MARKS = { failing: 'unavailable', fine: 'available', unknown: 'unknown' } as const;

function glance(page: EvidenceDocumentData, shown: Presenter): Html {
  const { incident, subject, nowMs } = page;
  const zone = subject.timezone;
  const endMs = endOfIncident(incident, nowMs);
  const length = lengthText(endMs - Date.parse(incident.started), isOver(page.incident) ? 'second' : 'minute');
  const state = isOver(page.incident) ? 'available' : incident.severity === 'down' ? 'unavailable' : 'partial';
  const moment = (iso: string) => html`<time datetime="${iso}">${momentText(Date.parse(iso), zone)}</time>`;
  return html`<section class="glance ${state}" aria-label="At a glance">
    <p class="lead">${shown.text(incident.failureReason, 600)}</p>
    <p class="state ${state}">${stateMark(state)}${stateOf(page)}</p>
    <dl>
      <dt>Monitor</dt>
      <dd>${shown.text(subject.name, 200)}${subject.url !== null && html`, ${shown.text(subject.url, 300)}`}</dd>
      <dt>Kind</dt>
      <dd>${troubleWords(incident).check}</dd>
      <dt>Since</dt>
      <dd>${moment(incident.started)}</dd>
      ${
        isOver(page.incident) &&
        html`<dt>Until</dt>
          <dd>${moment(new Date(endMs).toISOString())}</dd>`
      }
      <dt>${isOver(page.incident) ? 'Lasted' : 'For'}</dt>
      <dd>${length}</dd>
    </dl>
  </section>`;
}

function stateOf({ incident, subject, nameOf }: EvidenceDocumentData): string {
  const { isClosed, acknowledged, acknowledgedBy, acknowledgedAt, closedBy, ended, timeline } = incident;
  const by = (userId: string | null, event?: Incident['timeline'][number]) => {
    const { person } = event?.detail ?? {};
    return typeof person === 'string'
      ? (personName(person) ?? 'somebody')
      : (nameOf(userId) ?? 'a member of the workspace');
  };
  if (isClosed) {
    const closing = timeline.findLast(({ type }) => type === 'closed');
    const reason = closing?.detail['reason'];
    if (typeof reason === 'string')
      return `Over, ${closingWords(reason, closing!.actor === null ? null : by(closing!.actor))}`;
    const isAutomatic = closedBy === null && closing?.detail['person'] === undefined;
    return isAutomatic ? 'Over, closed because it recovered' : `Over, closed by ${by(closedBy, closing)}`;
  }
  if (ended !== null) return 'Recovered, waiting to be closed';
  if (!acknowledged) return 'Open, not acknowledged';
  const at = acknowledgedAt === null ? '' : ` on ${momentText(Date.parse(acknowledgedAt), subject.timezone)}`;
  const acknowledging = timeline.findLast(({ type }) => type === 'acknowledged');
  return `Open, acknowledged by ${by(acknowledgedBy, acknowledging)}${at}`;
}

function regionsSection(page: EvidenceDocumentData, shown: Presenter): Html {
  const { failing } = troubleWords(page.incident);
  const isPast = isOver(page.incident);
  const words = { failing, fine: isPast ? 'Was OK' : 'OK', unknown: 'Unknown' };
  const endOf = ({ verdict, untilMs }: RegionVerdict) => {
    if (!isPast || verdict !== 'failing') return null;
    return untilMs === null ? ', not seen to recover' : html` until ${shown.time(untilMs)}`;
  };
  return html`<section>
    <h2>By region</h2>
    <div class="card">
      <table class="regions">
        <caption>
          ${isOver(page.incident) ? 'During the incident' : 'Now'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Region</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          ${page.regions.map(
            (of) =>
              html`<tr>
                <th scope="row">
                  ${regionPlace(of.region)} ${!isLocation(of.region) && html`<span class="soft">${of.region}</span>`}
                </th>
                <td>
                  <span class="state ${isPast ? 'past' : of.verdict}"
                    >${stateMark(MARKS[of.verdict])}${words[of.verdict]}${endOf(of)}</span
                  >
                  <span class="soft"
                    >${of.note}
                    ${of.lastMs !== null && html`Last ${of.verdict === 'unknown' && 'conclusive '}check: ${shown.time(of.lastMs)}.`}</span
                  >
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
