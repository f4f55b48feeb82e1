import type { StatusPageSummary } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { StateMark } from '../../parts/marks.js';
import { PUBLIC_STATES } from './page-values.js';

/** A status as visitors read it. */
export function StatusMark({ status }: { status: StatusPageSummary['overallStatus'] }) {
  const { state, word } = PUBLIC_STATES[status];
  return <StateMark state={state} word={word} />;
}
