export interface LinePlot {
  title: string;
  unit: string;
  lines: readonly { name: string; points: readonly (readonly [x: number, y: number])[] }[];
  /** What happened, at its x. */
  marks: readonly { x: number; name: string }[];
}

const [WIDTH, HEIGHT] = [760, 300];
const EDGE = { left: 64, right: 16, top: 44, bottom: 52 };
const COLOURS = ['#2563eb', '#d97706', '#059669', '#7c3aed', '#dc2626'];
const TICKS = 5;

/** Draws lines over the seconds of a run as SVG that is readable on light and on dark pages. */
export function drawLinePlot({ title, unit, lines, marks }: LinePlot): string {
  const points = lines.flatMap((line) => line.points.filter(([, y]) => Number.isFinite(y)));
  const mostX = Math.max(1, ...points.map(([x]) => x));
  const mostY = niceCeiling(Math.max(...points.map(([, y]) => y), 1e-9));
  const x = (value: number): number => EDGE.left + (value / mostX) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value: number): number => HEIGHT - EDGE.bottom - (value / mostY) * (HEIGHT - EDGE.top - EDGE.bottom);
  const text = (atX: number, atY: number, words: string, more = ''): string =>
    `<text x="${round(atX)}" y="${round(atY)}" ${more}>${escape(words)}</text>`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#6b7280">`,
    text(EDGE.left, 18, `${title}, ${unit}`, 'font-size="14" font-weight="bold"'),
  ];
  for (let tick = 0; tick <= TICKS; tick++) {
    const value = (mostY * tick) / TICKS;
    parts.push(
      `<path d="M${EDGE.left} ${round(y(value))}H${WIDTH - EDGE.right}" stroke="#9ca3af" stroke-opacity="0.35"/>`,
      text(EDGE.left - 6, y(value) + 4, value.toLocaleString('en'), 'text-anchor="end"'),
      text(
        x((mostX * tick) / TICKS),
        HEIGHT - EDGE.bottom + 16,
        `${Math.round((mostX * tick) / TICKS)} s`,
        'text-anchor="middle"',
      ),
    );
  }
  for (const mark of marks)
    parts.push(
      `<path d="M${round(x(mark.x))} ${EDGE.top}V${HEIGHT - EDGE.bottom}" stroke="#9ca3af" stroke-dasharray="4 3"/>`,
      text(x(mark.x) + 3, EDGE.top + 10, mark.name, 'font-size="10"'),
    );
  for (const [index, { name, points: own }] of lines.entries()) {
    const colour = COLOURS[index % COLOURS.length]!;
    const drawn = own.filter(([, value]) => Number.isFinite(value));
    const path = drawn
      .map(([atX, atY], place) => `${place === 0 ? 'M' : 'L'}${round(x(atX))} ${round(y(atY))}`)
      .join('');
    const legendX = EDGE.left + index * 150;
    parts.push(
      `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`,
      `<path d="M${legendX} ${HEIGHT - 14}h18" stroke="${colour}" stroke-width="3"/>`,
      text(legendX + 24, HEIGHT - 10, name),
    );
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999)!;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
