import { PUBLIC_LOOKS } from '@watchpost/shared/design/states';
import type { StatusPageSummary } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { StateMark } from '../../parts/marks.js';

/** A status as visitors read it. */
export function StatusMark({ status }: { status: StatusPageSummary['overallStatus'] }) {
  return <StateMark {...PUBLIC_LOOKS[status]} />;
}
