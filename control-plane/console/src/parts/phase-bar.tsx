import { type Phases, phaseParts } from '@watchpost/shared/design/phases';
import { latencyText } from './format.js';

interface PhaseBarProps {
  phases: Phases;
  /** The place of the request in a run of several; without it, the bar is as wide as there is room. ms */
  place?: { fromMs: number; ms: number; ofMs: number };
}

/** Where the time of a request went: a bar of its phases, and each with its length. A phase that did not happen is left out. */
export function PhaseBar({ phases, place }: PhaseBarProps) {
  const parts = phaseParts(phases, place).map((part) => ({ ...part, fill: `url(#phase-${part.name})` }));
  const shareOf = (ms: number) => (place ? (ms / place.ofMs) * 100 : 0);
  return (
    <div class="phases lines gap-2">
      <svg aria-hidden="true">
        {place && (
          <rect class="phases-whole" x={`${shareOf(place.fromMs)}%`} width={`${shareOf(place.ms)}%`} height="100%" />
        )}
        {parts.map(({ name, x, width, fill }) => (
          <rect key={name} fill={fill} x={`${x}%`} width={`${width}%`} height="100%" />
        ))}
      </svg>
      <dl class="wrap gap-1-4 small">
        {parts.map(({ name, ms, word, fill }) => (
          <div key={name} class="flex gap-2">
            <dt class="flex center soft">
              <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
                <rect fill={fill} width="8" height="8" rx="2" />
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
