import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Query } from '../../data/address.js';
import type { State } from '../../parts/state.js';

/** Most cells of the picture; in a larger fleet, one is several monitors. */
const MOST_CELLS = 5_000;
const GAP = 2;
const [SMALLEST, LARGEST] = [4, 20];
/** The list is asked for so many monitors at once. */
const PAGE_SIZE = 50;

/** The worst state comes first. */
const ORDER = [
  ['unavailable', 'unavailable'],
  ['degraded', 'partial'],
  ['unknown', 'unknown'],
  ['maintenance', 'maintenance'],
  ['available', 'available'],
  ['paused', 'paused'],
] as const satisfies readonly [keyof Overview['counts'], State][];

export interface CellRun {
  /** The counts and the list call the status so, and `state` is how it looks. */
  status: (typeof ORDER)[number][0];
  state: State;
  /** The first of its cells, and how many there are. */
  start: number;
  length: number;
  /** The number of monitors in a cell. */
  monitorsPerCell: number;
}

/**
 * The cells of a fleet or of a group, the worst state first: a run for each state that there is.
 * @param shown how many monitors the whole picture has
 */
export function cellRuns(counts: Overview['counts'], shown = counts.total): CellRun[] {
  const monitorsPerCell = Math.max(1, Math.ceil(shown / MOST_CELLS));
  let start = 0;
  return ORDER.flatMap(([status, state]) => {
    // One that is down is seen in a fleet of any size.
    const length = Math.ceil(counts[status] / monitorsPerCell);
    const run = { status, state, start, length, monitorsPerCell };
    start += length;
    return length === 0 ? [] : [run];
  });
}

/**
 * Where the list of monitors has the first monitor of a cell: what to ask it for, and which of the answer it is.
 * @param group what the list has the group by, where the cells are of one
 */
export function placeInList(
  { status, start, monitorsPerCell }: CellRun,
  cell: number,
  group?: Query,
): { query: Query; at: number } {
  const at = (cell - start) * monitorsPerCell;
  return {
    query: { ...group, state: status, sort: 'name', pageSize: PAGE_SIZE, page: Math.floor(at / PAGE_SIZE) + 1 },
    at: at % PAGE_SIZE,
  };
}

/**
 * The largest cells of which all fit. Lengths in px; `pitch` is from one cell to the next.
 * @param most how many must fit: all groups of a picture have cells of one size
 */
export function layCells(
  count: number,
  width: number,
  height: number,
  most = count,
): { pitch: number; columns: number; rows: number } {
  for (let size = LARGEST; ; size--) {
    const pitch = size + GAP;
    const columns = Math.max(1, Math.floor((width + GAP) / pitch));
    if (Math.ceil(most / columns) * pitch <= height || size === SMALLEST)
      return { pitch, columns, rows: Math.ceil(count / columns) };
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
