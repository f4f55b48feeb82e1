import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import { cleanLine } from '@watchpost/shared/clean-line';

type Step = Pick<
  NonNullable<MonitorTestView['steps']>[number],
  'wasAvailable' | 'statusCode' | 'responseTime' | 'failureReason'
>;

/** Describes what became of a step of a check, without its name. */
export function describeStep({ wasAvailable, statusCode, responseTime, failureReason }: Step): string {
  const status = statusCode === null ? [] : [`status ${statusCode}`];
  const time = responseTime === null ? [] : [`in ${Math.round(responseTime)} ms`];
  const facts = [...status, ...time].join(' ');
  if (wasAvailable) return facts;
  if (failureReason === null) return 'did not run';
  return `${wasAvailable === null ? 'not checked' : 'failed'}${facts && ` (${facts})`}: ${cleanLine(failureReason, 2_000)}`;
}
