import { useRef, useState } from 'preact/hooks';
import { now } from '../../data/clock.js';
import { clockText, durationText, momentText } from '../../parts/format.js';
import { momentAt, placeOn, positionOf, type Day } from './calendar-layout.js';
import { colouring, nameOf, type Shift } from './people.js';

interface Lane {
  teamId: string;
  teamName: string;
  shifts: readonly Shift[];
}

interface WeekStripProps {
  days: readonly Day[];
  lanes: readonly Lane[];
  /** Of the month that is shown: days of others are dimmed. */
  month?: string;
  /** What a drag snaps to. */
  stepMs: number;
  onOpen: (shift: Shift) => void;
  /** Without it nothing can be dragged. */
  onDrag?: (teamId: string, startMs: number, endMs: number) => void;
}

/** Some days beside each other, with the shifts of each team in a lane of its own. */
export function WeekStrip({ days, lanes, month, stepMs, onOpen, onDrag }: WeekStripProps) {
  const nowMs = now.value;
  const today = days.find(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs);
  return (
    <div class="oncall-strip" style={{ '--days': String(days.length) }}>
      <div class="oncall-days">
        {days.map((day) => (
          <span
            key={day.date}
            class={[
              'oncall-day',
              day === today && 'is-today',
              month !== undefined && !day.date.startsWith(month) && 'is-other',
            ]
              .filter(Boolean)
              .join(' ')}
          >
            <DayName day={day} isLong={month === undefined} />
          </span>
        ))}
      </div>
      {lanes.map((lane) => (
        <Lane
          key={lane.teamId}
          lane={lane}
          days={days}
          stepMs={stepMs}
          isNamed={lanes.length > 1}
          nowAt={today ? positionOf(nowMs, days) : undefined}
          onOpen={onOpen}
          {...(onDrag && { onDrag })}
        />
      ))}
    </div>
  );
}

function DayName({ day: { startMs, endMs }, isLong }: { day: Day; isLong: boolean }) {
  const hours = (endMs - startMs) / 3_600_000;
  const at = new Date((startMs + endMs) / 2);
  return (
    <>
      {isLong && <span>{new Intl.DateTimeFormat('en-GB', { weekday: 'short' }).format(at)}</span>}{' '}
      <strong>{at.getDate()}</strong>
      {hours !== 24 && (
        <span class="before-2 state-partial medium" title={`Clocks change: this day has ${hours} hours`}>
          {hours} h
        </span>
      )}
    </>
  );
}

interface LaneProps extends Pick<WeekStripProps, 'days' | 'stepMs' | 'onOpen' | 'onDrag'> {
  lane: Lane;
  isNamed: boolean;
  nowAt: number | undefined;
}

const LEAST_PX = 6;

function Lane({ lane, days, stepMs, isNamed, nowAt, onOpen, onDrag }: LaneProps) {
  const track = useRef<HTMLDivElement>(null);
  const began = useRef<{ x: number; ms: number }>(undefined);
  const [drag, setDrag] = useState<{ startMs: number; endMs: number }>();
  const wasDragged = useRef(false);

  const momentOf = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    return momentAt((event.clientX - box.left) / box.width, days, stepMs);
  };
  const move = (event: PointerEvent) => {
    if (began.current === undefined) return;
    if (drag === undefined && Math.abs(event.clientX - began.current.x) < LEAST_PX) return;
    if (drag === undefined) track.current!.setPointerCapture(event.pointerId);
    const at = momentOf(event);
    setDrag({ startMs: Math.min(began.current.ms, at), endMs: Math.max(began.current.ms, at) });
  };
  const end = (isKept: boolean) => {
    wasDragged.current = drag !== undefined;
    began.current = undefined;
    setDrag(undefined);
    if (isKept && drag !== undefined && drag.startMs < drag.endMs) onDrag?.(lane.teamId, drag.startMs, drag.endMs);
  };
  const chosen = drag && placeOn(drag, days);
  return (
    <div class="oncall-lane">
      {isNamed && <span class="oncall-team block medium small soft">{lane.teamName}</span>}
      <div
        ref={track}
        class={onDrag ? 'oncall-track is-draggable' : 'oncall-track'}
        onPointerDown={(event) => {
          // A finger scrolls; there are buttons for it.
          if (onDrag === undefined || event.button !== 0 || event.pointerType === 'touch') return;
          wasDragged.current = false;
          began.current = { x: event.clientX, ms: momentOf(event) };
        }}
        onPointerMove={move}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
      >
        {lane.shifts.map((shift) => {
          const place = placeOn(shift, days);
          return (
            place && (
              <div
                key={shift.key}
                class="oncall-place"
                data-row={shift.key}
                style={{ left: `min(${place.from * 100}%, 100% - 24px)`, width: `${(place.to - place.from) * 100}%` }}
              >
                <button
                  type="button"
                  class={[
                    'oncall-shift',
                    shift.person === null && 'oncall-gap',
                    shift.isOverride && 'oncall-override',
                    shift.isMine && 'oncall-mine',
                  ]
                    .filter(Boolean)
                    .join(' ')}
                  style={colouring(shift.person)}
                  aria-label={shiftLabel(shift)}
                  title={shiftLabel(shift)}
                  onClick={() => {
                    if (!wasDragged.current) onOpen(shift);
                    wasDragged.current = false;
                  }}
                >
                  <span class="oncall-name cut">{shift.person ? nameOf(shift.person) : 'Nobody'}</span>
                </button>
              </div>
            )
          );
        })}
        {chosen && (
          <div
            class="oncall-drag lines small nowrap strong tabular"
            style={{ left: `${chosen.from * 100}%`, width: `${(chosen.to - chosen.from) * 100}%` }}
          >
            <span>{drag && `${clockText(drag.startMs)} – ${clockText(drag.endMs)}`}</span>
          </div>
        )}
        {nowAt !== undefined && <div class="oncall-now" style={{ left: `${nowAt * 100}%` }} />}
      </div>
    </div>
  );
}

/** All that a shift is, in one line. */
function shiftLabel({ person, teamName, isOverride, startMs, endMs }: Shift): string {
  const nowMs = now.peek();
  const who = person ? `${nameOf(person)}${isOverride ? ' (override)' : ''}` : 'Nobody is on call';
  return `${teamName}: ${who}, ${momentText(startMs, nowMs)} – ${momentText(endMs, nowMs)}, ${durationText(endMs - startMs)}`;
}
