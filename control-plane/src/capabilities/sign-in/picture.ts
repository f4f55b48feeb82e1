import { BRAND_SIGN } from '@watchpost/shared/design/brand';
import { COLORS } from '@watchpost/shared/design/tokens';

/** The states of three websites over a day, a letter a slot, as the overview shows them. */
const ROWS = [
  { name: 'shop.example', slots: 'a'.repeat(48) },
  { name: 'api.example', slots: `${'a'.repeat(26)}ppuuuup${'a'.repeat(15)}` },
  { name: 'files.example', slots: `${'a'.repeat(9)}nnnnn${'a'.repeat(34)}` },
] as const;

const SLOT = { width: 14, height: 44, gap: 3 };
const ROW_HEIGHT = 80;
const WIDTH = ROWS[0].slots.length * (SLOT.width + SLOT.gap) - SLOT.gap;
const HEIGHT = ROWS.length * ROW_HEIGHT;

/** Shape and colour together: a partial slot is half as high, an unavailable one is full and square, an unknown one is hatched. */
function drawSlot(state: string, x: number, y: number): string {
  const { width, height } = SLOT;
  switch (state) {
    case 'p':
      return `<rect class="p" x="${x}" y="${y + height / 2}" width="${width}" height="${height / 2}" rx="2"/>`;
    case 'u':
      return `<rect class="u" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
    case 'n':
      return `<rect class="n" x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="2" fill="url(#h)"/>`;
    default:
      return `<rect class="a" x="${x}" y="${y}" width="${width}" height="${height}" rx="2"/>`;
  }
}

function drawRow({ name, slots }: (typeof ROWS)[number], row: number): string {
  const top = row * ROW_HEIGHT;
  const bars = slots.split('').map((state, slot) => drawSlot(state, slot * (SLOT.width + SLOT.gap), top + 22));
  return `<text x="0" y="${top + 14}">${name}</text>${bars.join('')}`;
}

/** The colours of one theme. A picture sees neither the variables of its page nor `light-dark()` in every browser. */
function coloursOf(theme: 0 | 1): string {
  const of = (name: keyof typeof COLORS) => COLORS[name][theme];
  return (
    `text{fill:${of('soft')}}.a{fill:${of('available-fill')}}.p{fill:${of('partial-fill')}}.u{fill:${of('unavailable-fill')}}` +
    `.n,#h path{stroke:${of('unknown-fill')}}`
  );
}

/** Of the signed-out page, with what it shows in words. */
export const PICTURE = {
  width: WIDTH,
  height: HEIGHT,
  alt: 'The last day of three websites as bars: one was available all day, one was unavailable for an hour, and one was unknown for a while.',
  svg:
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
    `<style>text{font:600 14px system-ui,sans-serif}${coloursOf(0)}@media(prefers-color-scheme:dark){${coloursOf(1)}}</style>` +
    '<defs><pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7 7 -1M-1 1 1 -1M5 7 7 5" stroke-width="1.2"/></pattern></defs>' +
    `${ROWS.map(drawRow).join('')}</svg>`,
};

/** In the tab of the browser. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
  `<rect width="24" height="24" rx="5" fill="${COLORS.accent[0]}"/>` +
  `<g transform="translate(3 3)scale(.75)" color="${COLORS['accent-ink'][0]}">${BRAND_SIGN}</g></svg>`;
