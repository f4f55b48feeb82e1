import type { WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { capitalized, untilText } from '../../parts/format.js';
import { StateMark } from '../../parts/state-mark.js';

/** Whether a window is under way, and until when. */
export function WindowState({ window: { state, activeUntil } }: { window: WindowView }) {
  if (activeUntil === null) return <span class="soft">{capitalized(state)}</span>;
  return <StateMark state="maintenance" word={`Active ${untilText(activeUntil)}`} />;
}
