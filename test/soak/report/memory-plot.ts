import { groupBy } from '@watchpost/shared/group-by';
import type { Disturbance, Sample } from '../judge/observation.js';

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [960, 420, 60, 20, 190, 40];
const COLOURS = ['#1570ef', '#d92d20', '#039855', '#dc6803', '#7a5af8', '#0e9384', '#c11574', '#475467'];
const MIB = 1024 * 1024;

/** Draws the resident memory of each process over time as SVG; a line breaks where its process was started again. Grey bands are faults. */
export function memoryPlot(samples: readonly Sample[], disturbances: readonly Disturbance[]): string {
  const fromMs = Math.min(...samples.map(({ atMs }) => atMs));
  const toMs = Math.max(...samples.map(({ atMs }) => atMs), fromMs + 1);
  const most = Math.max(...samples.map(({ rssBytes }) => rssBytes), MIB);
  const x = (ms: number) => (LEFT + ((ms - fromMs) / (toMs - fromMs)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (bytes: number) => (HEIGHT - BOTTOM - (bytes / most) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const names = [...new Set(samples.map(({ process }) => process))];
  const bands = disturbances.map(
    (one) =>
      `<rect x="${x(one.fromMs)}" y="${TOP}" width="${Math.max(1, Number(x(one.mendedMs)) - Number(x(one.fromMs)))}" height="${HEIGHT - TOP - BOTTOM}" fill="#eaecf0"><title>${one.kind}: ${one.subject}</title></rect>`,
  );
  const lines = [...groupBy(samples, ({ process, pid }) => `${process} ${pid}`).values()].map((own) => {
    const points = own.map((one) => `${x(one.atMs)},${y(one.rssBytes)}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${colourOf(names, own[0]!.process)}" stroke-width="1.5"/>`;
  });
  const rows = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * most)}" y2="${y(part * most)}" stroke="#d0d5dd"/>` +
      `<text x="${LEFT - 6}" y="${Number(y(part * most)) + 4}" text-anchor="end">${Math.round((part * most) / MIB)} MiB</text>`,
  );
  const minutes = (toMs - fromMs) / 60_000;
  const columns = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${x(fromMs + part * (toMs - fromMs))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${(part * minutes).toFixed(1)} min</text>`,
  );
  const legend = names.map(
    (name, index) =>
      `<text x="${WIDTH - RIGHT + 14}" y="${TOP + 14 + 18 * index}" fill="${colourOf(names, name)}">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui,sans-serif" font-size="12" fill="#475467">
<title>Resident memory of each process</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...bands, ...rows, ...columns, ...lines, ...legend].join('\n')}
</svg>
`;
}

function colourOf(names: readonly string[], name: string): string {
  return COLOURS[names.indexOf(name) % COLOURS.length]!;
}
