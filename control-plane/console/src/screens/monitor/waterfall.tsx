import { latencyText } from '../../parts/format.js';
import { StateMark } from '../../parts/marks.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { type Run, waterfallOf } from './waterfall-rows.js';

const STATES = {
  worked: ['available', 'Worked'],
  failed: ['unavailable', 'Failed'],
  unknown: ['unknown', 'Unknown'],
  notRun: ['paused', 'Did not run'],
} as const;

/** The requests of a run below each other, as bars on one axis of time. */
export function Waterfall({ run, steps }: { run: Run; steps: readonly { name: string; always: boolean }[] }) {
  const rows = waterfallOf(run, new Set(steps.flatMap(({ name, always }) => (always ? [name] : []))));
  const ofMs = rows.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <ol class="waterfall list lines gap-3" aria-label="Requests of the run">
      {rows.map(({ name, state, statusCode, reason, phases, fromMs, ms }) => (
        <li key={name} class={state === 'notRun' ? 'soft' : 'lines gap-1'}>
          <p class="row">
            <StateMark state={STATES[state][0]} word={STATES[state][1]} />
            <strong>{name}</strong>
            {state !== 'notRun' && (
              <span class="soft tabular">
                {[statusCode, latencyText(ms)].filter((text) => text !== null).join(' in ')}
              </span>
            )}
          </p>
          {state !== 'notRun' && <PhaseBar phases={phases ?? {}} place={{ fromMs, ms, ofMs }} />}
          {reason !== null && <p class="small state-unavailable">{reason}</p>}
        </li>
      ))}
    </ol>
  );
}
