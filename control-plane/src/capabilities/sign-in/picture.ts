import { BAR_HEIGHT, barPaths, HATCHES, SLOT_RULES, SLOT_WIDTH, statesOf } from '@watchpost/shared/design/bar';
import { BRAND_SIGN } from '@watchpost/shared/design/brand';
import { COLORS, withTokens } from '@watchpost/shared/design/tokens';

/** The states of three websites over a day, a letter an hour. Readable at 320 px: the picture shrinks with the page. */
const ROWS = [
  { name: 'shop.example', slots: 'a'.repeat(24) },
  { name: 'api.example', slots: `${'a'.repeat(12)}pup${'a'.repeat(9)}` },
  { name: 'files.example', slots: `${'a'.repeat(4)}nn${'a'.repeat(18)}` },
] as const;

const [WIDTH, ROW_HEIGHT] = [408, 80];
const HEIGHT = ROWS.length * ROW_HEIGHT;

function drawRow({ name, slots }: (typeof ROWS)[number], row: number): string {
  const top = row * ROW_HEIGHT;
  const paths = barPaths(statesOf(slots)).map(([state, d]) => `<path class="slot-${state}" d="${d}"/>`);
  return (
    `<text x="0" y="${top + 16}">${name}</text>` +
    `<svg y="${top + 26}" width="${WIDTH}" height="44" viewBox="0 0 ${slots.length * SLOT_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none">${paths.join('')}</svg>`
  );
}

/** Of the signed-out page, with what it shows in words. */
export const PICTURE = {
  width: WIDTH,
  height: HEIGHT,
  alt: 'The last day of three websites as bars: one was available all day, one was unavailable for an hour, and one was unknown for a while.',
  svg:
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
    `<style>${withTokens(`text{font:600 20px var(--sans);fill:var(--soft)}${SLOT_RULES}`)}</style>${HATCHES}` +
    `${ROWS.map(drawRow).join('')}</svg>`,
};

/** In the tab of the browser. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
  `<rect width="24" height="24" rx="5" fill="${COLORS.accent[0]}"/>` +
  `<g transform="translate(3 3)scale(.75)" color="${COLORS['accent-ink'][0]}">${BRAND_SIGN}</g></svg>`;
