import { type PhaseName, PHASES, phaseParts } from '@watchpost/shared/design/phases';
import { latencyText } from '@watchpost/shared/design/texts';
import { Html, html } from '../../../platform/http/html.js';
import { stateMark } from '../../../platform/pages/state-mark.js';
import type { FailureEvidence } from '../incident-evidence-schemas.js';
import { failureWords } from './words.js';

/** The durations of an attempt's phases and the phase in which it failed, as a bar; with `isWhole` also as a table. */
export function phaseBar({ timings, phase: failedIn, reason, responseTime }: FailureEvidence, isWhole: boolean): Html {
  if (timings === null) return new Html('');
  const parts = phaseParts(timings);
  const taken = PHASES.filter(([phase]) => (timings[phase] ?? 0) > 0 || phase === failedIn);
  const took = (phase: PhaseName) => latencyText(timings[phase] ?? 0);
  const picture =
    parts.length === 0
      ? null
      : new Html(
          `<svg class="phases" role="img" aria-label="Where the time went: ${taken.map(([phase, word]) => `${word} ${took(phase)}`).join(', ')}">${parts.map(({ name, x, width }) => `<rect fill="url(#phase-${name})" x="${x}%" width="${width}%" height="100%"/>`).join('')}</svg>`,
        );
  const failure = html`<p class="state failing">${stateMark('unavailable')}${failureWords(failedIn, reason)}</p>`;
  if (!isWhole) return html`${picture}${failedIn !== '' && failure}`;
  return html`${picture}
    <table>
      <caption>
        Where the time went${responseTime !== null && `, ${latencyText(responseTime)} in all`}
      </caption>
      <tbody>
        ${taken.map(
          ([phase, word]) =>
            html`<tr>
              <th scope="row">
                <svg class="swatch" viewBox="0 0 24 16" aria-hidden="true">
                  <rect fill="url(#phase-${phase})" width="24" height="16" /></svg
                >${word}
              </th>
              <td class="number">${took(phase)}</td>
              <td>
                ${phase === failedIn && html`<span class="state failing">${stateMark('unavailable')}failed here</span>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${failedIn !== '' && !taken.some(([phase]) => phase === failedIn) && failure}`;
}
