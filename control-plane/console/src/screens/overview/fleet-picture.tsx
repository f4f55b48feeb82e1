import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { countText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';
import { lookOf, wordOf } from '../../parts/state.js';
import { Tip, useCursor } from '../../parts/state-bar.js';
import { useLater } from '../../parts/use-later.js';
import { cellRuns, layCells, pathOfRun, placeInList } from './fleet-cells.js';
import { verdictSentence } from './verdict.js';

const HEIGHT = 240;
/** With fewer, the table below is picture enough. */
const LEAST = 12;
const PAUSE_MS = 120;

/**
 * One cell a monitor, the worst first. It is drawn from the counts, so that it costs no request; who a cell is, is asked for
 * where somebody looks at it.
 */
export function FleetPicture({ counts }: { counts: Overview['counts'] }) {
  return counts.total < LEAST ? null : (
    <Section title="All at a glance">
      <Cells counts={counts} />
    </Section>
  );
}

function Cells({ counts }: { counts: Overview['counts'] }) {
  const { route } = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  // Before it is painted, so that nothing below moves.
  useLayoutEffect(() => {
    setWidth(frame.current!.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const runs = cellRuns(counts);
  const total = runs.reduce((sum, { length }) => sum + length, 0);
  const laid = layCells(total, width, HEIGHT);
  const { pitch, columns, rows } = laid;
  const { index, setIndex, follow } = useCursor(total, ({ clientX, clientY }) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    const column = Math.min(columns - 1, Math.max(0, Math.floor((clientX - left) / pitch)));
    return Math.min(total - 1, Math.max(0, Math.floor((clientY - top) / pitch)) * columns + column);
  });
  const run = runs.find(({ start, length }) => index !== undefined && index >= start && index < start + length);
  const monitor = useMonitorAt(run && placeInList(run, index!));
  const text =
    run === undefined
      ? verdictSentence(counts)
      : run.monitorsPerCell > 1
        ? `${countText(run.monitorsPerCell, 'monitor')}: ${wordOf(run.state)}`
        : `${monitor?.name ?? '…'}: ${wordOf(run.state)}`;
  const open = () => {
    if (run === undefined) return;
    if (run.monitorsPerCell === 1 && monitor) route(pathTo(`/monitors/${monitor.id}`));
    else if (run.state === 'maintenance') route(pathTo('/maintenance', { state: 'active' }));
    else route(pathTo('/monitors', { status: run.state }));
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (event.key === 'Enter') open();
    if (by === undefined) return;
    event.preventDefault();
    setIndex(Math.min(total - 1, Math.max(0, (index ?? 0) + by)));
  };
  return (
    <div
      ref={frame}
      class="fleet"
      style={{ height: `${rows * pitch}px` }}
      tabIndex={0}
      role="slider"
      aria-label="Monitors, worst first"
      aria-valuemin={0}
      aria-valuemax={total - 1}
      aria-valuenow={index ?? 0}
      aria-valuetext={text}
      onPointerMove={follow}
      onPointerLeave={() => setIndex(undefined)}
      onFocus={() => setIndex((former) => former ?? 0)}
      onBlur={() => setIndex(undefined)}
      onKeyDown={step}
      onClick={open}
    >
      {width > 0 && (
        <svg width={columns * pitch} height={rows * pitch} aria-hidden="true">
          {runs.map((each) => (
            <path key={each.state} class={`slot slot-${lookOf(each.state)}`} d={pathOfRun(each, laid)} />
          ))}
          {index !== undefined && (
            <rect
              class="slot-cursor"
              x={(index % columns) * pitch - 1}
              y={Math.floor(index / columns) * pitch - 1}
              width={pitch}
              height={pitch}
            />
          )}
        </svg>
      )}
      {index !== undefined && width > 0 && (
        <Tip at={(((index % columns) + 0.5) * pitch) / width}>
          <strong>{text}</strong>
          {run?.monitorsPerCell === 1 && monitor?.url && <span>{monitor.url}</span>}
        </Tip>
      )}
    </div>
  );
}

/** The monitor at a place of the list, once somebody looks at it for a moment. */
function useMonitorAt(place: ReturnType<typeof placeInList>): MonitorView | undefined {
  const wanted = place ? JSON.stringify(place.query) : '';
  const asked = useLater(wanted, PAUSE_MS);
  const { data } = useResource<MonitorView[]>(
    asked === '' ? null : '/api/v1/monitor',
    asked === '' ? undefined : (JSON.parse(asked) as NonNullable<typeof place>['query']),
  );
  return asked === wanted && place ? data?.[place.at] : undefined;
}
