import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Query } from '../../data/address.js';
import type { ShownState } from '../../parts/state.js';

/** Most cells of the picture; in a larger fleet, one is several monitors. */
const MOST_CELLS = 5_000;
const GAP = 2;
const [SMALLEST, LARGEST] = [4, 20];
/** The list is asked for so many monitors at once. */
const PAGE_SIZE = 50;

/** What is wrong comes first. The query is what the list of monitors calls the state; it has none for maintenance. */
const ORDER = [
  ['unavailable', { healthStatus: 'unavailable' }],
  ['degraded', { healthStatus: 'degraded' }],
  ['unknown', { healthStatus: 'unknown', monitoringStatus: 'enabled' }],
  ['maintenance', undefined],
  ['available', { healthStatus: 'available' }],
  ['paused', { monitoringStatus: 'paused' }],
] as const satisfies readonly [ShownState, Query | undefined][];

export interface CellRun {
  state: (typeof ORDER)[number][0];
  query: Query | undefined;
  /** The first of its cells, and how many there are. */
  start: number;
  length: number;
  /** The number of monitors in a cell. */
  monitorsPerCell: number;
}

/** The cells of a fleet, the worst state first: a run for each state that there is. */
export function cellRuns(counts: Overview['counts']): CellRun[] {
  const monitorsPerCell = Math.max(1, Math.ceil(counts.total / MOST_CELLS));
  let start = 0;
  return ORDER.flatMap(([state, query]) => {
    // One that is down is seen in a fleet of any size.
    const length = Math.ceil(counts[state] / monitorsPerCell);
    const run = { state, query, start, length, monitorsPerCell };
    start += length;
    return length === 0 ? [] : [run];
  });
}

/** Where the list of monitors has the first monitor of a cell: what to ask it for, and which of the answer it is. */
export function placeInList(
  { query, start, monitorsPerCell }: CellRun,
  cell: number,
): { query: Query; at: number } | undefined {
  if (query === undefined) return undefined;
  const at = (cell - start) * monitorsPerCell;
  return {
    query: { ...query, sort: 'name', pageSize: PAGE_SIZE, page: Math.floor(at / PAGE_SIZE) + 1 },
    at: at % PAGE_SIZE,
  };
}

/** The largest cells of which all fit. Lengths in px; `pitch` is from one cell to the next. */
export function layCells(
  count: number,
  width: number,
  height: number,
): { pitch: number; columns: number; rows: number } {
  for (let size = LARGEST; ; size--) {
    const pitch = size + GAP;
    const columns = Math.max(1, Math.floor((width + GAP) / pitch));
    const rows = Math.ceil(count / columns);
    if (rows * pitch <= height || size === SMALLEST) return { pitch, columns, rows };
  }
}

/** The outline of the cells of a run, as SVG path data. */
export function pathOfRun({ start, length }: CellRun, { pitch, columns }: ReturnType<typeof layCells>): string {
  const size = pitch - GAP;
  return Array.from({ length }, (_, index) => {
    const cell = start + index;
    return `M${(cell % columns) * pitch} ${Math.floor(cell / columns) * pitch}h${size}v${size}h${-size}z`;
  }).join('');
}
