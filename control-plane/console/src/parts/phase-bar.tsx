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
export type Phases = Partial<Latency['phases']> & { auth?: number | undefined };

interface PhaseBarProps {
  phases: Phases;
  /** The place of the request in a run of several; without it, the bar is as wide as there is room. ms */
  place?: { fromMs: number; ms: number; ofMs: number };
}

/** Where the time of a request went: a bar of its phases, and each with its length. A phase that did not happen is left out. */
export function PhaseBar({ phases, place }: PhaseBarProps) {
  const parts = WORDS.flatMap(([name, word, series]) => {
    const ms = phases[name] ?? 0;
    return ms > 0 ? [{ name, word, ms, style: { fill: `var(--series-${series})` } }] : [];
  });
  const total = place?.ofMs ?? parts.reduce((sum, { ms }) => sum + ms, 0);
  let left = ((place?.fromMs ?? 0) / total) * 100;
  return (
    <div class="phases lines gap-2">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {place && <rect class="phases-whole" x={left} width={(place.ms / total) * 100} height="8" />}
        {parts.map(({ name, ms, style }) => {
          const [x, width] = [left, (ms / total) * 100];
          left += width;
          return <rect key={name} style={style} x={x} width={width} height="8" />;
        })}
      </svg>
      <dl class="wrap gap-1-4 small">
        {parts.map(({ name, word, ms, style }) => (
          <div key={name} class="flex gap-2">
            <dt class="flex center soft">
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
