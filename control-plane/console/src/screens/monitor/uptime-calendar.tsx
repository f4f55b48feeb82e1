import type { Availability } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import { type CalendarDay, calendarDays, stateOfDay } from '@watchpost/shared/design/calendar';
import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { useRef } from 'preact/hooks';
import { dayText, durationText } from '../../parts/format.js';
import { Tip, useCursor } from '../../parts/state-bar.js';
import { isLeft, sliderOf } from '../../parts/time-cursor.js';
import type { Stretch } from '../../parts/time-cursor.js';

const CELL = 14;
const TOP = 20;
/** The states differ by size too. */
const SIZES: Readonly<Record<string, number>> = { unavailable: 13, partial: 11, none: 4 };
const USUAL_SIZE = 9;
/** Days in the list for screen readers. */
const MOST_LISTED = 60;

/**
 * Each day of a long range as a cell, in the colour of the worst of it. A click, or Enter, leads to the day.
 * @param props.sinceMs when the monitor was created
 */
export function UptimeCalendar(props: {
  availability: Availability;
  label: string;
  sinceMs: number;
  onChoose: (day: Stretch) => void;
}) {
  const { availability, label, sinceMs, onChoose } = props;
  const frame = useRef<HTMLDivElement>(null);
  const spans = availability.timeline
    .map(({ start, end, status }) => ({ startMs: Date.parse(start), endMs: Date.parse(end), status }))
    // Unknown until there is something to know.
    .map((span) => (span.status === 'unknown' ? { ...span, startMs: Math.max(span.startMs, sinceMs) } : span))
    .filter((span) => span.startMs < span.endMs);
  const days = calendarDays(spans, Date.parse(availability.periodStart), Date.parse(availability.periodEnd));
  const last = days.length - 1;
  const { index, setIndex, follow, step } = useCursor(days.length, ({ clientX, clientY }) => {
    const { left, top } = frame.current!.querySelector('svg')!.getBoundingClientRect();
    const row = Math.min(6, Math.max(0, Math.floor((clientY - top - TOP) / CELL)));
    const place = Math.floor((clientX - left) / CELL) * 7 + row - (days[0]?.weekday ?? 0);
    return Math.min(last, Math.max(0, place));
  });
  const faulty = days.filter((day) => ['unavailable', 'partial'].includes(stateOfDay(day) ?? ''));
  const summary = `${days.length} days, ${faulty.length} with a fault`;
  const day = index === undefined ? undefined : days[index];
  return (
    <div>
      <div
        ref={frame}
        class="calendar-frame bar-choice"
        role="slider"
        {...sliderOf({ label, last, at: index, text: day === undefined ? summary : textOf(day) })}
        onPointerMove={follow}
        onPointerLeave={(event) => isLeft(event) && setIndex(undefined)}
        onBlur={() => setIndex(undefined)}
        onClick={() => day !== undefined && onChoose(day)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChoose(days[index ?? last]!);
          step(event);
        }}
      >
        <div class="calendar">
          <svg width={(days[last]!.week + 1) * CELL + 2 * CELL} height={TOP + 7 * CELL} aria-hidden="true">
            {monthsOf(days).map(({ week, name }) => (
              <text key={week} class="chart-label" x={week * CELL} y={12}>
                {name}
              </text>
            ))}
            {days.map((each, at) => {
              const state = stateOfDay(each) ?? 'none';
              const size = SIZES[state] ?? USUAL_SIZE;
              const inset = (CELL - size) / 2;
              return (
                <rect
                  key={at}
                  class={at === index ? `slot-${state} is-chosen` : `slot-${state}`}
                  x={each.week * CELL + inset}
                  y={TOP + each.weekday * CELL + inset}
                  width={size}
                  height={size}
                  rx="2"
                />
              );
            })}
          </svg>
        </div>
        {day !== undefined && (
          <Tip at={((day.week + 0.5) * CELL) / frame.current!.offsetWidth}>
            <strong>{dayText(day.startMs)}</strong>
            {lengthsOf(day).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </Tip>
        )}
      </div>
      {faulty.length > 0 && (
        <ul class="unseen" aria-label={`${label}: days with a fault`}>
          {faulty.slice(-MOST_LISTED).map((each) => (
            <li key={each.startMs}>{textOf(each)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Where months begin, as far apart as their names need. */
function monthsOf(days: readonly CalendarDay[]): { week: number; name: string }[] {
  const months: { week: number; name: string }[] = [];
  for (const { startMs, week } of days) {
    const at = new Date(startMs);
    if (at.getDate() === 1 && week - (months.at(-1)?.week ?? -3) >= 3)
      months.push({ week, name: new Intl.DateTimeFormat('en-GB', { month: 'short' }).format(at) });
  }
  return months;
}

function lengthsOf({ lengths }: CalendarDay): string[] {
  const texts = Object.entries(lengths).map(
    ([state, ms]) => `${STATE_LOOKS[state as keyof typeof lengths].word} ${durationText(ms)}`,
  );
  return texts.length === 0 ? ['No data'] : texts;
}

const textOf = (day: CalendarDay) => `${dayText(day.startMs)}: ${lengthsOf(day).join(', ')}`;
