import { latencyText } from './format.js';

/** The phases of a request, in their order; ms. */
export interface Phases {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  transfer: number | null;
}

const WORDS: readonly (readonly [keyof Phases, string])[] = [
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['firstByte', 'First byte'],
  ['transfer', 'Transfer'],
];

/** Where the time of a request went: a bar of its phases, and each with its length. A phase that did not happen is left out. */
export function PhaseBar({ phases }: { phases: Phases }) {
  const parts = WORDS.flatMap(([name, word]) => {
    const ms = phases[name] ?? 0;
    return ms > 0 ? [{ name, word, ms }] : [];
  });
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  let left = 0;
  return (
    <div class="phases">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ name, ms }) => {
          const x = (left / total) * 100;
          left += ms;
          return <rect key={name} class={`phase-${name}`} x={x} width={(ms / total) * 100} height="8" />;
        })}
      </svg>
      <dl>
        {parts.map(({ name, word, ms }) => (
          <div key={name}>
            <dt>
              <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
                <rect class={`phase-${name}`} width="8" height="8" rx="2" />
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
