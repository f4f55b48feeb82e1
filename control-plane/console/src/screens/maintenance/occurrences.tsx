import type { OccurrenceView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { Skeleton } from '../../parts/skeleton.js';
import { Time } from '../../parts/time.js';

const SHOWN = 5;

/** The next occurrences, in the zone of the viewer. */
export function Occurrences({ of }: { of: readonly OccurrenceView[] | undefined }) {
  if (of === undefined) return <Skeleton rows={1} />;
  if (of.length === 0) return <p class="soft">No occurrence is left.</p>;
  return (
    <>
      <p class="soft small">{of.length === 1 ? 'Once' : 'Next'}, in your time zone:</p>
      <ol class="list window-occurrences num">
        {of.slice(0, SHOWN).map(({ start, end }) => (
          <li key={start}>
            <Time at={start} as="moment" /> – <Time at={end} as="moment" />
          </li>
        ))}
      </ol>
    </>
  );
}
