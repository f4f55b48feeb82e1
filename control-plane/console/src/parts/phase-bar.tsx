import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import { latencyText } from './format.js';

/** In their order, with the colours of series. */
const WORDS: readonly (readonly [keyof Phases, word: string, series: number])[] = [
  ['auth', 'Access token', 6],
  ['dns', 'DNS', 1],
  ['connect', 'Connect', 2],
  ['tls', 'TLS', 3],
  ['firstByte', 'First byte', 5],
  ['transfer', 'Transfer', 4],
];

/** ms */
type Phases = Latency['phases'] & { auth?: number | undefined };

/** Where the time of a request went: a bar of its phases, and each with its length. A phase that did not happen is left out. */
export function PhaseBar({ phases }: { phases: Phases }) {
  const parts = WORDS.flatMap(([name, word, series]) => {
    const ms = phases[name] ?? 0;
    return ms > 0 ? [{ name, word, ms, style: { fill: `var(--series-${series})` } }] : [];
  });
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  let left = 0;
  return (
    <div class="phases">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ name, ms, style }) => {
          const x = (left / total) * 100;
          left += ms;
          return <rect key={name} style={style} x={x} width={(ms / total) * 100} height="8" />;
        })}
      </svg>
      <dl>
        {parts.map(({ name, word, ms, style }) => (
          <div key={name}>
            <dt>
              <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
                <rect style={style} width="8" height="8" rx="2" />
              </svg>
              {word}
            </dt>
            <dd class="num">{latencyText(ms)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
