import type { CellRun } from './run-cell.js';
import { summarise } from './summarise.js';

/** What is asked for. */
const MONITORS = 1_000_000;
const REGIONS = 8;
const CELL_MONITORS = 100_000;
const INTERVAL_S = 60;
const DAY_S = 86_400;

/** From docs/guides/performance.md: CPU of one check in an agent, ms. */
const AGENT_MS = { http: 0.305, https: 3.43 };
/** A row and its index over a whole day, from record 21, until its day is packed, from record 54; days by default. */
const ROWS = { bytes: 156, days: 2.5 };
const PACKED = { bytes: 10.1, days: 32.5 };
/** A core is planned half full, so that checks start on time and a lost neighbour can be taken over. */
const PLANNED_SHARE = 0.5;

/** Calculates what many monitors take from what one result took in a run. @returns a table in Markdown, with formulas */
export function deriveScale(run: CellRun): string[] {
  const of = summarise(run);
  const us = (part: string): number => of.cpu.find((one) => one.part.startsWith(part))!.usPerResult;
  const [planeUs, postgresUs] = [us('control planes'), us('PostgreSQL')];
  const cells = MONITORS / CELL_MONITORS;
  const perSecond = (CELL_MONITORS * REGIONS) / INTERVAL_S;
  const inRegion = perSecond / REGIONS;
  const planeCores = (perSecond * planeUs) / 1e6;
  const planes = Math.ceil(planeCores / PLANNED_SHARE) + 1;
  const postgresCores = (perSecond * postgresUs) / 1e6;
  const agents = (ms: number): number => Math.ceil((inRegion * ms) / 1_000 / PLANNED_SHARE) + 1;
  const [httpAgents, httpsAgents] = [agents(AGENT_MS.http), agents(AGENT_MS.https)];
  const walBytes = perSecond * of.walBytesPerResult;
  const rowBytes = perSecond * DAY_S * (ROWS.days * ROWS.bytes + PACKED.days * PACKED.bytes);
  const wireBytes = perSecond * of.wireBytesPerResult;
  const planeMb = (CELL_MONITORS * REGIONS * run.heapBytesPerSeries) / 1e6;

  const n = (value: number, digits = 0): string => value.toLocaleString('en', { maximumFractionDigits: digits });
  const rows: [what: string, formula: string, cell: string, all: string][] = [
    ['cells', `${n(MONITORS)} / ${n(CELL_MONITORS)}`, '1', n(cells)],
    ['results a second', `monitors × ${REGIONS} / ${INTERVAL_S} s`, n(perSecond), n(perSecond * cells)],
    [
      'agents, HTTP',
      `${REGIONS} × (⌈${n(inRegion)}/s × ${AGENT_MS.http} ms / ${PLANNED_SHARE}⌉ + 1)`,
      n(httpAgents * REGIONS),
      n(httpAgents * REGIONS * cells),
    ],
    [
      'agents, HTTPS',
      `${REGIONS} × (⌈${n(inRegion)}/s × ${AGENT_MS.https} ms / ${PLANNED_SHARE}⌉ + 1)`,
      n(httpsAgents * REGIONS),
      n(httpsAgents * REGIONS * cells),
    ],
    ['control-plane CPU, cores', `${n(perSecond)}/s × ${n(planeUs)} µs`, n(planeCores, 2), n(planeCores * cells, 1)],
    ['control-plane processes', `⌈${n(planeCores, 2)} / ${PLANNED_SHARE}⌉ + 1`, n(planes), n(planes * cells)],
    [
      'series in the memory of each process, MB',
      `${n(CELL_MONITORS * REGIONS)} × ${n(run.heapBytesPerSeries)} bytes`,
      n(planeMb),
      '',
    ],
    [
      'PostgreSQL CPU, cores',
      `${n(perSecond)}/s × ${n(postgresUs)} µs`,
      n(postgresCores, 2),
      n(postgresCores * cells, 1),
    ],
    [
      'WAL, and to each standby, MB/s',
      `${n(perSecond)}/s × ${n(of.walBytesPerResult)} bytes`,
      n(walBytes / 1e6, 1),
      n((walBytes * cells) / 1e6),
    ],
    [
      'WAL archive a day, TB',
      `${n(walBytes / 1e6, 1)} MB/s × ${n(DAY_S)} s`,
      n((walBytes * DAY_S) / 1e12, 2),
      n((walBytes * DAY_S * cells) / 1e12, 1),
    ],
    [
      'single results on disk, TB',
      `${n(perSecond)}/s × ${n(DAY_S)} s × (${ROWS.days} × ${ROWS.bytes} + ${PACKED.days} × ${PACKED.bytes} bytes)`,
      n(rowBytes / 1e12, 2),
      n((rowBytes * cells) / 1e12, 1),
    ],
    [
      'results from agents, MB/s',
      `${n(perSecond)}/s × ${n(of.wireBytesPerResult)} bytes`,
      n(wireBytes / 1e6, 2),
      n((wireBytes * cells) / 1e6, 1),
    ],
    ['most results/s of one process, whole core', `1 s / ${n(planeUs)} µs`, n(1e6 / planeUs), ''],
    [
      'most results/s of one PostgreSQL with 16 cores, half full',
      `16 × ${PLANNED_SHARE} / ${n(postgresUs)} µs`,
      n((16 * PLANNED_SHARE * 1e6) / postgresUs),
      '',
    ],
  ];
  return [
    `From the run with ${n(run.series)} series and ${run.plan.controlPlanes} control plane${run.plan.controlPlanes === 1 ? '' : 's'} above:`,
    '',
    '| what | formula | a cell of 100,000 monitors | 1,000,000 monitors |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}
