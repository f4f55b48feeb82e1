import { PHASE_PATTERNS } from '@watchpost/shared/design/phases';
import { latencyText } from '@watchpost/shared/design/texts';
import { regionPlace } from '@watchpost/shared/region';
import { Html, html } from '../../../platform/http/html.js';
import { stateMark } from '../../../platform/pages/state-mark.js';
import type {
  DomainEvidence,
  FailureEvidence,
  LatencyEvidence,
  ReportEvidence,
  SecondOpinion,
} from '../incident-evidence-schemas.js';
import type { Incident } from '../incident-schemas.js';
import type { DocumentLimits } from './document-limits.js';
import { pathTable } from './path-section.js';
import { phaseBar } from './phase-bar.js';
import type { Presenter } from './presenter.js';

const PATTERNS = new Html(`<svg class="unseen" width="0" height="0" aria-hidden="true">${PHASE_PATTERNS}</svg>`);
const BODY_BYTES = '2 KiB';

/** The failing attempts, the first one first. */
export function attemptsSection(
  failures: readonly FailureEvidence[],
  shown: Presenter,
  limits: DocumentLimits,
): Html | null {
  if (failures.length === 0) return null;
  // The first attempt of each kind of failure is shown in full; attempts that failed alike are shortened.
  const kinds = new Set<string>();
  const cards = failures.map((failure) => {
    const kind = JSON.stringify([failure.phase, failure.reason, failure.statusCode, failure.evidence?.bodyStart]);
    const isWhole = !kinds.has(kind) && kinds.size < limits.wholeAttempts;
    const isAlike = kinds.has(kind);
    kinds.add(kind);
    return attemptCard(failure, shown, limits, { isWhole, isAlike });
  });
  return html`<section>
    <h2>What was seen</h2>
    <p class="soft">Recorded when the check failed.</p>
    ${PATTERNS}${cards}
  </section>`;
}

function attemptCard(
  failure: FailureEvidence,
  shown: Presenter,
  limits: DocumentLimits,
  { isWhole, isAlike }: { isWhole: boolean; isAlike: boolean },
): Html {
  const { region, startedAt, scheduledAt, message, statusCode, address, evidence } = failure;
  const at = startedAt ?? scheduledAt;
  const facts: [string, string | null][] = [
    ['Connected to', address],
    ['Resolved to', evidence?.resolved && evidence.resolved.length > 0 ? evidence.resolved.join(', ') : null],
    ['Failed at', failedAddresses(evidence)],
    ['Status', statusCode === null ? null : String(statusCode)],
    ['HTTP version', evidence?.hops?.at(-1)?.httpVersion ?? null],
    ['Noticed', evidence?.notes && evidence.notes.length > 0 ? evidence.notes.join(' ') : null],
    ['Assertions', evidence?.assertions?.flatMap((one) => one.message ?? []).join(' ') || null],
  ];
  return html`<article class="card">
    <h3>${regionPlace(region)}, ${shown.time(at)}</h3>
    <p>${shown.text(message, 2 * limits.valueChars)}</p>
    ${phaseBar(failure, isWhole)}
    <dl>
      ${facts.map(([name, value]) =>
        value === null
          ? html``
          : html`<dt>${name}</dt>
              <dd>${shown.text(value, limits.valueChars)}</dd>`,
      )}
    </dl>
    ${isWhole && pathTable(evidence?.path, shown, limits)} ${isWhole && hopsList(evidence?.hops ?? [], shown, limits)}
    ${isWhole && headersTable(evidence?.headers ?? {}, shown, limits)}
    ${isWhole && bodyFigure(evidence?.bodyStart, 'The site answered', shown, limits)}
    ${isWhole && bodyFigure(evidence?.received, 'The service sent', shown, limits)}
    ${isAlike && html`<p class="soft">The answer was the same as above.</p>`}
  </article>`;
}

/** The addresses that failed, of a check of each. */
function failedAddresses(evidence: FailureEvidence['evidence']): string | null {
  const failed = evidence?.addresses?.filter(({ status }) => status === 'unavailable') ?? [];
  return failed.length === 0 ? null : failed.map(({ address }) => address).join(', ');
}

function hopsList(
  hops: readonly { url: string; statusCode: number | null; step?: string | undefined }[],
  shown: Presenter,
  limits: DocumentLimits,
) {
  if (hops.length < 2) return null;
  return html`<h4>${hops.some(({ step }) => step) ? 'Requests of the run' : 'Redirects followed'}</h4>
    <ol>
      ${hops
        .slice(0, limits.records)
        .map(
          ({ url, statusCode, step }) =>
            html`<li>
              ${step && html`<strong>${shown.text(step, limits.valueChars)}:</strong> `}
              ${shown.text(url, limits.valueChars)} (${statusCode ?? 'no answer'})
            </li>`,
        )}
    </ol>`;
}

function headersTable(
  headers: Readonly<Record<string, string>>,
  shown: Presenter,
  limits: DocumentLimits,
): Html | null {
  const rows = Object.entries(headers);
  if (rows.length === 0) return null;
  const more = rows.length - limits.headers;
  return html`<table>
    <caption>
      Headers of the answer${more > 0 && `; ${more} more are left out`}
    </caption>
    <tbody>
      ${rows.slice(0, limits.headers).map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${shown.text(name, 60)}</th>
            <td>${shown.text(value, limits.valueChars)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bodyFigure(body: string | undefined, who: string, shown: Presenter, limits: DocumentLimits): Html | null {
  if (body === undefined || body === '') return null;
  const cut = Array.from(shown.body(body)).slice(0, limits.bodyChars).join('');
  return html`<figure>
    <figcaption>${who} this, as text: at most the first ${BODY_BYTES}</figcaption>
    <pre>${asText(cut)}</pre>
  </figure>`;
}

/** Escapes the three characters that have a meaning between tags; plain quotes keep the document small. */
function asText(text: string): Html {
  // HTML drops a line break that directly follows the `pre` tag.
  return new Html(`\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`);
}

const OPINIONS = {
  up: ['available', 'fine', 'OK'],
  down: ['unavailable', 'failing', 'Failed there too'],
  inconclusive: ['unknown', 'unknown', 'Unknown'],
} as const;

/** The confirming runs that the first failure caused. */
export function opinionsSection(
  opinions: readonly SecondOpinion[],
  shown: Presenter,
  limits: DocumentLimits,
): Html | null {
  if (opinions.length === 0) return null;
  return html`<section>
    <h2>Second opinion</h2>
    <p class="soft">Another region or agent checked at once, to rule out a problem of the first one.</p>
    <ul class="card">
      ${opinions.slice(0, limits.records).map(({ region, askedAt, outcome, message, responseTime }) => {
        const [state, name, words] = OPINIONS[outcome];
        return html`<li>
          ${regionPlace(region)}, ${shown.time(askedAt)}:
          <span class="state ${name}">${stateMark(state)}${words}</span>${
            message === null
              ? responseTime !== null && `, in ${latencyText(responseTime)}`
              : ` ${shown.text(message, limits.valueChars)}`
          }
        </li>`;
      })}
    </ul>
  </section>`;
}

/** The monitors that depend on this one and failed. Their reasons may contain what readers of the document must not see. */
export function dependentsSection(
  { dependents, dependentCount }: Pick<Incident, 'dependents' | 'dependentCount'>,
  shown: Presenter,
  limits: DocumentLimits,
): Html | null {
  if (dependentCount === 0) return null;
  const listed = dependents.slice(0, limits.records);
  const others = dependentCount - listed.length;
  return html`<section>
    <h2>Failed because of it</h2>
    <p class="soft">
      ${dependentCount === 1 ? 'A monitor that depends' : `${dependentCount} monitors that depend`} on this one failed
      too. Nobody was notified of that.
    </p>
    <ul class="card">
      ${listed.map(
        ({ monitorName, failed, ended, ownIncidentId }) =>
          html`<li>
            ${shown.text(monitorName, limits.valueChars)}, from
            ${shown.time(failed)}${ended !== null && html` to ${shown.time(ended)}`}${
              ownIncidentId !== null && '; then an incident of its own'
            }
          </li>`,
      )}
      ${others > 0 && html`<li>${others} more</li>`}
    </ul>
  </section>`;
}

export function latencySection(latency: LatencyEvidence | null): Html | null {
  if (latency === null || latency.value === null) return null;
  const { value, thresholdMs, percentile, regions } = latency;
  return html`<section>
    <h2>What was measured</h2>
    <div class="card">
      <p>
        The ${percentile}th percentile of the newest checks was <strong>${latencyText(value)}</strong>. The threshold is
        ${latencyText(thresholdMs)}.
      </p>
      <table>
        <tbody>
          ${regions.map(
            (one) =>
              html`<tr>
                <th scope="row">${regionPlace(one.region)}</th>
                <td class="number">${latencyText(one.value)}</td>
                <td>
                  ${one.value > thresholdMs && html`<span class="state failing">${stateMark('unavailable')}too slow</span>`}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The answer of the registry of a domain when the incident opened. */
export function domainSection(domain: DomainEvidence | null, shown: Presenter, limits: DocumentLimits): Html | null {
  if (domain === null) return null;
  const { expiresAt, registrar, statuses, nameServers, source } = domain;
  const listOf = (texts: readonly string[]) =>
    texts.length === 0 ? null : shown.text(texts.slice(0, limits.records).join(', '), limits.valueChars);
  const facts: Fact[] = [
    ['Domain', shown.text(domain.domain, limits.valueChars)],
    ['Expires', expiresAt && shown.time(expiresAt)],
    ['Registrar', registrar && shown.text(registrar, limits.valueChars)],
    ['Status', listOf(statuses)],
    ['Name servers', listOf(nameServers)],
    ['Asked', source && shown.text(source, limits.valueChars)],
  ];
  return html`<section>
    <h2>What the registry answered</h2>
    <article class="card">${factsList(facts)}</article>
  </section>`;
}

type Fact = readonly [name: string, value: Html | string | null];

function factsList(facts: readonly Fact[]): Html {
  return html`<dl>
    ${facts.map(([name, value]) =>
      value === null
        ? html``
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;
}

export function reportSection(report: ReportEvidence | null, shown: Presenter, limits: DocumentLimits): Html | null {
  if (report === null) return null;
  const { at, exitCode, rid, runtimeMs, body, expectedBy, lastSuccess, started } = report;
  const facts: Fact[] = [
    ['Expected by', expectedBy && shown.time(expectedBy)],
    ['Last success', lastSuccess && shown.time(lastSuccess)],
    ['Started', started && shown.time(started)],
    ['Received', report.kind === 'reported' && at !== null ? shown.time(at) : null],
    ['Exit code', exitCode === null ? null : String(exitCode)],
    ['Run', rid === null ? null : shown.text(rid, limits.valueChars)],
    ['Took', runtimeMs === null ? null : latencyText(runtimeMs)],
  ];
  return html`<section>
    <h2>What the job reported</h2>
    <article class="card">${factsList(facts)} ${bodyFigure(body ?? undefined, 'The job sent', shown, limits)}</article>
  </section>`;
}
