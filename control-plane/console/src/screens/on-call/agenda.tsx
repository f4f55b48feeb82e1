import { now } from '../../data/clock.js';
import { clockText, durationText, momentText } from '../../parts/format.js';
import { Icon } from '../../parts/button.js';
import type { Day } from './calendar-layout.js';
import { colouring, nameOf, type Shift } from './people.js';

/** The same as a list by days: a shift is under the day on which it begins. */
export function Agenda(props: { days: readonly Day[]; shifts: readonly Shift[]; onOpen: (shift: Shift) => void }) {
  const { days, shifts, onOpen } = props;
  const sorted = shifts.toSorted((a, b) => a.startMs - b.startMs);
  const shown = days
    .map((day, index) => ({
      day,
      // What goes on already is on the first day.
      own: sorted.filter(({ startMs }) => startMs < day.endMs && (index === 0 || startMs >= day.startMs)),
    }))
    .filter(({ own }) => own.length > 0);
  return (
    <ol class="oncall-agenda list lines gap-4">
      {shown.map(({ day, own }) => (
        <li key={day.date}>
          <h3 class="below-1 small soft">
            {new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }).format(
              (day.startMs + day.endMs) / 2,
            )}
          </h3>
          <ul class="card list divided">
            {own.map((shift) => (
              <li key={shift.key} data-row={shift.key}>
                <button type="button" class="oncall-entry wrap center gap-1-3 pad-2-4" onClick={() => onOpen(shift)}>
                  <span class="oncall-dot" style={colouring(shift.person)} />
                  <span class="fill-12 wrap center gap-0-2">
                    <strong class={shift.person ? undefined : 'state-unavailable'}>
                      {shift.person ? nameOf(shift.person) : 'Nobody is on call'}
                    </strong>
                    {shift.isMine && <span class="chip">you</span>}
                    {shift.isOverride && <span class="chip">override</span>}
                    <span class="soft small">{shift.teamName}</span>
                  </span>
                  <span class="soft num small">
                    {clockText(shift.startMs)} – {momentText(shift.endMs, now.peek())} ·{' '}
                    {durationText(shift.endMs - shift.startMs)}
                  </span>
                  <Icon name="right" />
                </button>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
