import { STATES, type State } from './states.js';

/** The state that a slot of a bar shows; `none`: there is no data of that time. */
export type SlotState = State | 'none';

/** Lengths in the picture of a bar, which is then made as wide and high as its place. */
export const [SLOT_WIDTH, BAR_HEIGHT] = [4, 24];

/** The states of a bar are sent as one letter a slot. */
export const STATE_LETTERS: Readonly<Record<SlotState, string>> = {
  available: 'a',
  partial: 'p',
  unavailable: 'u',
  unknown: 'n',
  maintenance: 'm',
  paused: 'z',
  none: '-',
};
const BY_LETTER = new Map(Object.entries(STATE_LETTERS).map(([state, letter]) => [letter, state as SlotState]));

/** @returns the states of a bar; a letter that is not known is `unknown` */
export function statesOf(letters: string): SlotState[] {
  return Array.from(letters, (letter) => BY_LETTER.get(letter) ?? 'unknown');
}

/** The states differ by height too, for readers who do not see colours. */
const TOPS: Readonly<Record<SlotState, number>> = {
  available: 4,
  partial: 2,
  unavailable: 0,
  unknown: 4,
  maintenance: 4,
  paused: 12,
  none: 20,
};

/** The slots of a bar as SVG path data, one path a state, so that a page of bars has few nodes. */
export function barPaths(slots: readonly SlotState[]): [SlotState, string][] {
  const paths = new Map<SlotState, string>();
  for (let start = 0; start < slots.length;) {
    const state = slots[start]!;
    let end = start + 1;
    while (slots[end] === state) end++;
    const top = TOPS[state];
    const [x, width] = [start * SLOT_WIDTH, (end - start) * SLOT_WIDTH];
    paths.set(state, `${paths.get(state) ?? ''}M${x} ${top}h${width}V${BAR_HEIGHT}h${-width}z`);
    start = end;
  }
  return [...paths];
}

const HATCHED = ['unknown', 'maintenance'] as const;

/** The patterns of what is unknown, and of maintenance, as SVG: once in a document that has bars. */
export const HATCHES = HATCHED.map(
  (state) =>
    `<pattern id="hatch-${state}" class="hatch-${state}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect stroke="none" width="6" height="6"/><path stroke-width="2.4" d="M0 0v6"/></pattern>`,
).join('');

/** The look of slots, as CSS: those of bars, the cells of pictures, and the days of calendars. */
export const SLOT_RULES = `${STATES.map((state) => `.slot-${state}{fill:var(--${state}-fill)}`).join('')}
${HATCHED.map((state) => `.slot-${state}{fill:url(#hatch-${state})}.hatch-${state}{fill:var(--${state}-soft);stroke:var(--${state}-fill)}`).join('')}
.slot-paused{opacity:.5}.slot-none{fill:var(--line)}
`;
