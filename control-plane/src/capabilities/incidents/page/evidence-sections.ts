import { Html, html } from '../../../platform/http/html.js';
import type { FailureShown, LatencyShown, OpinionShown } from './page-evidence.js';
import type { PageLimits } from './page-limits.js';
import { phaseBar, phasePatterns } from './phase-bar.js';
import type { Shown } from './shown.js';
import { millisecondsText } from './words.js';

const BODY_BYTES = '2 KiB';

/** What the failing attempts saw, the first of them first: one whole attempt says more than eight halves. */
export function attemptsSection(failures: readonly FailureShown[], shown: Shown, limits: PageLimits): Html | null {
  if (failures.length === 0) return null;
  // Whole are the first, and those that failed in another way: what eight regions say alike need be read once.
  const ways = new Set<string>();
  const cards = failures.map((failure) => {
    const way = JSON.stringify([failure.phase, failure.reason, failure.statusCode, failure.evidence?.bodyStart]);
    const isWhole = !ways.has(way) && ways.size < limits.wholeAttempts;
    const isAlike = ways.has(way);
    ways.add(way);
    return attemptCard(failure, shown, limits, { isWhole, isAlike });
  });
  return html`<section>
    <h2>What was seen</h2>
    <p class="soft">Kept when the check failed, not looked up afterwards.</p>
    ${phasePatterns()}${cards}
  </section>`;
}

function attemptCard(
  failure: FailureShown,
  shown: Shown,
  limits: PageLimits,
  { isWhole, isAlike }: { isWhole: boolean; isAlike: boolean },
): Html {
  const { region, startedAt, scheduledAt, message, statusCode, address, evidence } = failure;
  const at = startedAt ?? scheduledAt;
  const facts: [string, string | null][] = [
    ['Connected to', address],
    ['Name leads to', evidence?.resolved && evidence.resolved.length > 0 ? evidence.resolved.join(', ') : null],
    ['Status', statusCode === null ? null : String(statusCode)],
  ];
  return html`<article class="card">
    <h3>${region}, ${shown.time(at)}</h3>
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
    ${isWhole && hopsList(evidence?.hops ?? [], shown, limits)}
    ${isWhole && headersTable(evidence?.headers ?? {}, shown, limits)}
    ${isWhole && bodyFigure(evidence?.bodyStart, 'The site answered', shown, limits)}
    ${isWhole && bodyFigure(evidence?.received, 'The service sent', shown, limits)}
    ${isAlike && html`<p class="soft">The answer was as above.</p>`}
  </article>`;
}

function hopsList(hops: readonly { url: string; statusCode: number | null }[], shown: Shown, limits: PageLimits) {
  if (hops.length < 2) return null;
  return html`<h4>Redirects followed</h4>
    <ol>
      ${hops
        .slice(0, limits.records)
        .map(
          ({ url, statusCode }) => html`<li>${shown.text(url, limits.valueChars)} (${statusCode ?? 'no answer'})</li>`,
        )}
    </ol>`;
}

function headersTable(headers: Readonly<Record<string, string>>, shown: Shown, limits: PageLimits): Html | null {
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

function bodyFigure(body: string | undefined, who: string, shown: Shown, limits: PageLimits): Html | null {
  if (body === undefined || body === '') return null;
  const cut = Array.from(shown.body(body)).slice(0, limits.bodyChars).join('');
  return html`<figure>
    <figcaption>${who} this, as text: at most the first ${BODY_BYTES}</figcaption>
    <pre>${asText(cut)}</pre>
  </figure>`;
}

/** Between tags only these three mean anything; quotes as they are keep the page small. */
function asText(text: string): Html {
  // A line break right behind the tag would be lost (HTML, the pre element).
  return new Html(`\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`);
}

const OPINIONS = {
  up: ['✓', 'fine', 'OK'],
  down: ['✕', 'failing', 'Failed there too'],
  inconclusive: ['?', 'unknown', 'Nobody could tell'],
} as const;

/** Whom else was asked, at the first failure. */
export function opinionsSection(opinions: readonly OpinionShown[], shown: Shown, limits: PageLimits): Html | null {
  if (opinions.length === 0) return null;
  return html`<section>
    <h2>Second opinion</h2>
    <p class="soft">Somebody else was asked at once, to tell an outage from a region that sees badly.</p>
    <ul class="card">
      ${opinions.slice(0, limits.records).map(({ region, askedAt, outcome, message, responseTime }) => {
        const [sign, name, words] = OPINIONS[outcome];
        return html`<li>
          ${region}, ${shown.time(askedAt)}: <span class="state ${name}">${sign} ${words}</span>${
            message === null
              ? responseTime !== null && `, in ${millisecondsText(responseTime)}`
              : ` ${shown.text(message, limits.valueChars)}`
          }
        </li>`;
      })}
    </ul>
  </section>`;
}

/** How slow it was, against what it may be. */
export function latencySection(latency: LatencyShown | null): Html | null {
  if (latency === null || latency.value === null) return null;
  const { value, thresholdMs, percentile, regions } = latency;
  return html`<section>
    <h2>What was measured</h2>
    <div class="card">
      <p>
        The ${percentile}th percentile of the newest checks was <strong>${millisecondsText(value)}</strong>;
        ${millisecondsText(thresholdMs)} are allowed.
      </p>
      <table>
        <tbody>
          ${regions.map(
            (one) =>
              html`<tr>
                <th scope="row">${one.region}</th>
                <td class="number">${millisecondsText(one.value)}</td>
                <td>${one.value > thresholdMs && html`<span class="state failing">✕ too slow</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
