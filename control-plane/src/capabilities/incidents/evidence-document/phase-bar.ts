import { Html, html } from '../../../platform/http/html.js';
import { stateMark } from '../../../platform/pages/state-mark.js';
import type { FailureEvidence } from '../incident-evidence-schemas.js';
import { millisecondsText, failureWords, PHASES, type TimedPhase } from './words.js';

const WIDTH = 1_000;
const HEIGHT = 40;
const LEAST_WIDTH = 8;

/** One pattern per phase, distinguishable without colour. */
const TILES: Readonly<Record<TimedPhase, string>> = {
  auth: '<circle class="dot" cx="2" cy="2" r="1"/><circle class="dot" cx="6" cy="6" r="1"/>',
  dns: '<circle class="dot" cx="4" cy="4" r="1.6"/>',
  connect: '<path class="line" d="M-2 10 10-2M-2 2 2-2M6 10l4-4"/>',
  tls: '<path class="line" d="M0 4h8M4 0v8"/>',
  firstByte: '',
  transfer: '<path class="line" d="M0 2h8M0 6h8"/>',
};

/** The fill patterns of bars and legends, once per document. */
export function phasePatterns(): Html {
  const patterns = PHASES.map(
    ([phase]) =>
      `<pattern id="p-${phase}" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="${phase}" width="8" height="8"/>${TILES[phase]}</pattern>`,
  );
  return new Html(
    `<svg class="unseen" width="0" height="0" aria-hidden="true"><defs>${patterns.join('')}</defs></svg>`,
  );
}

/** The durations of an attempt's phases and the phase in which it failed, as a bar; with `isWhole` also as a table. */
export function phaseBar({ timings, phase: failedIn, reason, responseTime }: FailureEvidence, isWhole: boolean): Html {
  if (timings === null) return new Html('');
  const took = (phase: TimedPhase): number => timings[phase] ?? 0;
  const taken = PHASES.filter(([phase]) => took(phase) > 0 || phase === failedIn);
  const sum = taken.reduce((total, [phase]) => total + took(phase), 0);
  const available = WIDTH - taken.length * LEAST_WIDTH;
  let x = 0;
  const segments = taken.map(([phase]) => {
    const width = Math.round(LEAST_WIDTH + (sum > 0 ? (took(phase) / sum) * available : available / taken.length));
    const segment = `<path d="M${x} 0h${width}v${HEIGHT}h-${width}z" fill="url(#p-${phase})" class="segment"/>`;
    x += width;
    return segment;
  });
  const durations = taken.map(([phase, words]) => `${words} ${millisecondsText(took(phase))}`).join(', ');
  const picture =
    sum === 0
      ? null
      : new Html(
          `<svg class="phases" viewBox="0 0 ${x} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Where the time went: ${durations}">${segments.join('')}</svg>`,
        );
  const failure = html`<p class="state failing">${stateMark('unavailable')}${failureWords(failedIn, reason)}</p>`;
  if (!isWhole) return html`${picture}${failedIn !== '' && failure}`;
  return html`${picture}
    <table>
      <caption>
        Where the time went${responseTime !== null && `, ${millisecondsText(responseTime)} in all`}
      </caption>
      <tbody>
        ${taken.map(
          ([phase, words]) =>
            html`<tr>
              <th scope="row">${swatch(phase)}${words}</th>
              <td class="number">${millisecondsText(took(phase))}</td>
              <td>
                ${phase === failedIn && html`<span class="state failing">${stateMark('unavailable')}failed here</span>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${failedIn !== '' && !taken.some(([phase]) => phase === failedIn) && failure}`;
}

function swatch(phase: TimedPhase): Html {
  return new Html(
    `<svg class="swatch" viewBox="0 0 24 16" aria-hidden="true"><rect width="24" height="16" fill="url(#p-${phase})"/></svg>`,
  );
}
