import { HOUR_MS } from '@watchpost/shared/time';
import { useRef, useState } from 'preact/hooks';
import { now } from '../../data/clock.js';
import { clockText, durationText, momentText } from '../../parts/format.js';
import { LEAST_WIDTH, momentAt, placeOn, positionOf, rowsOf, type Day } from './calendar-layout.js';
import type { NewOverride } from './override-dialog.js';
import { colouring, nameOf, type Planned, type Shift } from './people.js';

export interface Lane extends Planned {
  /** In the order of time. */
  shifts: readonly Shift[];
}

export interface WeekStripProps {
  days: readonly Day[];
  lanes: readonly Lane[];
  /** Of the month that is shown: days of others are dimmed. */
  month?: string;
  /** What a drag snaps to. */
  stepMs: number;
  onOpen: (shift: Shift) => void;
  /** Without it nothing can be dragged. */
  onDrag?: (asked: NewOverride) => void;
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
          key={lane.schedulePath}
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
  const hours = (endMs - startMs) / HOUR_MS;
  const at = new Date((startMs + endMs) / 2);
  return (
    <>
      {isLong && <span>{new Intl.DateTimeFormat('en-GB', { weekday: 'short' }).format(at)}</span>}{' '}
      <strong>{at.getDate()}</strong>
      {hours !== 24 && (
        <span class="before-2 state-partial strong" title={`Clocks change: this day has ${hours} hours`}>
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
/** A strip that is shorter has no end that could be dragged. */
const SHORT = 1.5 * LEAST_WIDTH;

/** A time or the end of a shift is dragged. */
interface Drag {
  fromMs: number;
  toMs: number;
  shift?: Shift;
}

function Lane({ lane, days, stepMs, isNamed, nowAt, onOpen, onDrag }: LaneProps) {
  const track = useRef<HTMLDivElement>(null);
  const began = useRef<{ x: number; ms: number; shift?: Shift }>(undefined);
  const [drag, setDrag] = useState<Drag>();
  const wasDragged = useRef(false);

  const momentOf = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    return momentAt((event.clientX - box.left) / box.width, days, stepMs);
  };
  const begin = (event: PointerEvent, shift?: Shift) => {
    wasDragged.current = false;
    // A finger scrolls; there are buttons for it.
    if (onDrag === undefined || event.button !== 0 || event.pointerType === 'touch') return;
    event.stopPropagation();
    began.current = { x: event.clientX, ms: shift?.endMs ?? momentOf(event), ...(shift && { shift }) };
  };
  const move = (event: PointerEvent) => {
    if (began.current === undefined) return;
    const { x, ms, shift } = began.current;
    if (drag === undefined && Math.abs(event.clientX - x) < LEAST_PX) return;
    if (drag === undefined) track.current!.setPointerCapture(event.pointerId);
    setDrag({ fromMs: ms, toMs: momentOf(event), ...(shift && { shift }) });
  };
  const end = (isKept: boolean) => {
    wasDragged.current = drag !== undefined;
    began.current = undefined;
    setDrag(undefined);
    if (!isKept || drag === undefined || drag.fromMs === drag.toMs) return;
    const { fromMs, toMs, shift } = drag;
    const next = shift && lane.shifts.find(({ startMs }) => startMs === shift.endMs);
    // Whose shift grows is on call for what the other one loses.
    const userId = (toMs > fromMs ? shift : next)?.person?.userId;
    onDrag?.({
      teamId: lane.teamId,
      schedulePath: lane.schedulePath,
      startMs: Math.min(fromMs, toMs),
      endMs: Math.max(fromMs, toMs),
      ...(userId !== undefined && { userId }),
    });
  };
  const press = (event: KeyboardEvent, shift: Shift) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (onDrag && by !== undefined && event.shiftKey && shift.endMs < days.at(-1)!.endMs)
      setDrag({ fromMs: shift.endMs, toMs: (drag?.toMs ?? shift.endMs) + by * stepMs, shift });
    else if (drag !== undefined && event.key === 'Enter') end(true);
    else if (drag !== undefined && event.key === 'Escape') end(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const chosen =
    drag && placeOn({ startMs: Math.min(drag.fromMs, drag.toMs), endMs: Math.max(drag.fromMs, drag.toMs) }, days);
  const shown = lane.shifts.flatMap((shift) => {
    const place = placeOn(shift, days);
    return place ? [{ shift, place }] : [];
  });
  const rows = rowsOf(shown.map(({ place }) => place));
  return (
    <div class="oncall-lane" style={{ '--rows': String(Math.max(0, ...rows) + 1) }}>
      {isNamed && <span class="oncall-team block small soft">{lane.teamName}</span>}
      <div
        ref={track}
        class={onDrag ? 'oncall-track is-draggable' : 'oncall-track'}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
      >
        {shown.map(({ shift, place }, index) => (
          <div
            key={shift.key}
            class="oncall-place"
            data-row={shift.key}
            style={{
              left: `min(${place.from * 100}%, 100% - 24px)`,
              width: `${(place.to - place.from) * 100}%`,
              '--row': String(rows[index]),
            }}
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
              onKeyDown={(event) => press(event, shift)}
              onBlur={() => began.current === undefined && setDrag(undefined)}
              onClick={() => {
                if (!wasDragged.current) onOpen(shift);
                wasDragged.current = false;
              }}
            >
              <span class="oncall-name cut">{shift.person ? nameOf(shift.person) : 'Nobody'}</span>
            </button>
            {onDrag && !place.endsAfter && place.to - place.from >= SHORT && (
              <span class="oncall-edge" aria-hidden="true" onPointerDown={(event) => begin(event, shift)} />
            )}
          </div>
        ))}
        {chosen && (
          <div
            class="oncall-drag lines small nowrap strong tabular"
            style={{ left: `${chosen.from * 100}%`, width: `${(chosen.to - chosen.from) * 100}%` }}
          >
            <span role="status">{drag && dragText(drag)}</span>
          </div>
        )}
        {nowAt !== undefined && <div class="oncall-now" style={{ left: `${nowAt * 100}%` }} />}
      </div>
    </div>
  );
}

function dragText({ fromMs, toMs, shift }: Drag): string {
  if (shift) return `until ${clockText(toMs)}`;
  return `${clockText(Math.min(fromMs, toMs))} – ${clockText(Math.max(fromMs, toMs))}`;
}

/** All that a shift is, in one line. */
function shiftLabel({ person, teamName, isOverride, startMs, endMs }: Shift): string {
  const nowMs = now.peek();
  const who = person ? `${nameOf(person)}${isOverride ? ' (override)' : ''}` : 'Nobody is on call';
  return `${teamName}: ${who}, ${momentText(startMs, nowMs)} – ${momentText(endMs, nowMs)}, ${durationText(endMs - startMs)}`;
}
