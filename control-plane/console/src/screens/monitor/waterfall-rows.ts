import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Phases } from '@watchpost/shared/design/phases';

interface StepView {
  name: string;
  wasAvailable: boolean | null;
  statusCode: number | null;
  responseTime: number | null;
  phases: Phases | null;
  failureReason: string | null;
}

/** A check with steps, tested or stored. */
export type Run = Pick<
  NonNullable<MonitorView['latestTestResult']>,
  'wasAvailable' | 'statusCode' | 'responseTime' | 'failureReason'
> & { steps?: readonly StepView[] | undefined; phases?: Phases | undefined };

export interface WaterfallRow {
  name: string;
  state: 'worked' | 'failed' | 'unknown' | 'notRun';
  statusCode: number | null;
  reason: string | null;
  phases: Phases | null;
  /** Where it begins on the axis of the run, which has no waits, and how long it took; ms. */
  fromMs: number;
  ms: number;
}

/**
 * The requests of a run. The monitor's own is what the steps leave of the whole, which ends at the first failure.
 * @param always the names of the steps that run after a failure, too
 */
export function waterfallOf(run: Run, always: ReadonlySet<string>): WaterfallRow[] {
  const steps = run.steps ?? [];
  const hasRun = (step: StepView) => step.responseTime !== null;
  const isHealthy = run.wasAvailable === true;
  const end = steps.findIndex((step) => hasRun(step) && step.wasAvailable !== true && !always.has(step.name));
  const isOwnFault = !isHealthy && end === -1;
  const counted = steps.filter((step, index) => hasRun(step) && (isHealthy || index <= end));
  const rest = (whole: number, part: (step: StepView) => number) =>
    Math.max(
      0,
      counted.reduce((left, step) => left - part(step), whole),
    );
  const own = {
    name: 'The monitor’s own request',
    wasAvailable: isOwnFault ? run.wasAvailable : true,
    responseTime: rest(run.responseTime, ({ responseTime }) => responseTime ?? 0),
    statusCode: isOwnFault || counted.length === 0 ? run.statusCode : null,
    failureReason: isOwnFault ? run.failureReason : null,
    phases: run.phases
      ? (Object.fromEntries(
          Object.entries(run.phases).map(([name, ms]) => [
            name,
            rest(ms ?? 0, ({ phases }) => phases?.[name as keyof Phases] ?? 0),
          ]),
        ) as Phases)
      : null,
  };
  let endMs = 0;
  return [own, ...steps].map(({ name, wasAvailable, statusCode, responseTime, phases, failureReason: reason }) => {
    const [fromMs, ms] = [endMs, responseTime ?? 0];
    endMs += ms;
    const state =
      responseTime === null ? 'notRun' : wasAvailable === null ? 'unknown' : wasAvailable ? 'worked' : 'failed';
    return { name, state, statusCode, reason, phases, fromMs, ms };
  });
}
