import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { groupBy } from '@watchpost/shared/group-by';
import { LEFT_OUT } from '../draw/fault-kinds.js';
import { violationsOf } from '../judge/judge-run.js';
import type { Judgement } from '../judge/observation.js';
import type { SoakResult } from '../run/run-soak.js';
import type { SoakSettings } from '../settings.js';
import { memoryPlot } from './memory-plot.js';

export interface ReportInput {
  settings: SoakSettings;
  result: SoakResult;
  /** Kinds of fault that this machine cannot have, with the reason. */
  skipped: Readonly<Record<string, string>>;
  isComplete: boolean;
}

const MOST_LISTED = 40;

/** Writes `soak.md`, `soak.json` and `memory.svg` into the folder of the settings. */
export function writeReport(input: ReportInput): void {
  const { settings, result } = input;
  mkdirSync(settings.out, { recursive: true });
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, load ${loadavg()[0]!.toFixed(1)} at the end`;
  const head = { commit: commit(), machine, ...input, skipped: { ...LEFT_OUT, ...input.skipped } };
  const { samples, ...rest } = result;
  const json = { ...head, result: rest, memory: samples.processes, queues: samples.queues };
  writeFileSync(join(settings.out, 'soak.json'), `${JSON.stringify(json)}\n`);
  writeFileSync(join(settings.out, 'memory.svg'), memoryPlot(samples.processes, result.disturbances));
  writeFileSync(join(settings.out, 'soak.md'), document(head));
}

/** One line for each rule, for the terminal and the document. */
export function tableOf(judgements: readonly Judgement[]): string[][] {
  return [
    ['rule', 'judged', 'violations', 'explained by faults'],
    ...judgements.map(({ rule, judged, findings }) => {
      const explained = findings.filter(({ explanation }) => explanation !== undefined).length;
      return [rule, String(judged), String(findings.length - explained), String(explained)];
    }),
  ];
}

function document({
  settings,
  result,
  skipped,
  commit: at,
  machine,
  isComplete,
}: ReportInput & { commit: string; machine: string }): string {
  const { judgements, disturbances, counts, refused } = result;
  const violations = violationsOf(judgements);
  const recovery = [...groupBy(disturbances, ({ kind }) => kind)].map(([kind, own]) => {
    const times = own.flatMap(({ recoveredMs, mendedMs }) => (recoveredMs === null ? [] : [recoveredMs - mendedMs]));
    const longest = times.length === 0 ? '-' : `${(Math.max(...times) / 1000).toFixed(1)} s`;
    return [kind, String(own.length), longest, String(own.length - times.length)];
  });
  const listed = judgements.flatMap(({ rule, meaning, findings }) =>
    findings.length === 0
      ? []
      : [
          `### ${rule}`,
          '',
          `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`,
          '',
          ...findings
            .toSorted((a, b) => Number(a.explanation !== undefined) - Number(b.explanation !== undefined))
            .slice(0, MOST_LISTED)
            .map(
              ({ what, explanation }) =>
                `- ${explanation === undefined ? '**violation** ' : ''}${oneLine(what)}${explanation === undefined ? '' : `; explained by ${explanation}`}`,
            ),
          ...(findings.length > MOST_LISTED ? [`- and ${findings.length - MOST_LISTED} more`] : []),
          '',
        ],
  );
  return [
    '# Soak run',
    '',
    `${isComplete ? '' : '**Interrupted.** '}${violations === 0 ? 'No rule was violated.' : `**${violations} violations.**`} ` +
      `\`npm run soak -- --minutes ${settings.minutes} --seed ${settings.seed} --monitors ${settings.monitors} --pace-ms ${settings.paceMs} --outage-every-s ${settings.outageEveryMs / 1000} --calm-s ${settings.calmMs[0] / 600} --pairs-percent ${100 * settings.pairs} --longest-percent ${100 * settings.longest}${settings.only.length === 0 ? '' : ` --only '${settings.only.join(',')}'`}\` repeats its faults.`,
    '',
    `Commit ${at}, from ${new Date(result.startedMs).toISOString()} to ${new Date(result.endedMs).toISOString()}. ${machine}.`,
    '',
    ...markdown([['what', 'count'], ...Object.entries(counts).map(([what, count]) => [what, String(count)])]),
    '## Rules',
    '',
    ...markdown(tableOf(judgements)),
    '## Faults',
    '',
    ...markdown([['kind', 'times', 'longest recovery', 'not recovered'], ...recovery]),
    'Not done: ' +
      Object.entries(skipped)
        .map(([kind, why]) => `${kind} (${why})`)
        .join('; ') +
      '.',
    '',
    '## Memory',
    '',
    '![Resident memory of each process; grey bands are faults](memory.svg)',
    '',
    ...(listed.length === 0 ? [] : ['## Findings', '', ...listed]),
    ...(refused.length === 0
      ? []
      : ['## Unexpected answers', '', ...refused.slice(0, MOST_LISTED).map(({ what }) => `- ${oneLine(what)}`), '']),
  ].join('\n');
}

function markdown([head, ...rows]: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head!), line(head!.map(() => '---')), ...rows.map(line), ''];
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' · ')
    .replaceAll('|', '\\|')
    .slice(0, 1_000);
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=10'], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    }).trim();
  } catch {
    return 'unknown';
  }
}
