import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@watchpost/shared/clock';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../db/database.js';
import {
  applyIncidentCommands,
  currentIncidents,
  type IncidentCommand,
  type IncidentType,
} from '../incidents/index.js';
import type { IncidentStep } from './decide-incident-track.js';
import { decideVerdict, isSettled } from './decide-verdict.js';
import { evidenceStore, type FailureEvidence } from './evidence-store.js';
import { AVAILABILITY_KINDS, type Verdict } from './verdict.js';
import {
  verdictStore,
  type ChangedVerdict,
  type SeriesKey,
  type StandingRow,
  type VerdictSubject,
} from './verdict-store.js';

const NO_SUSPECTS: ReadonlySet<Region> = new Set();

interface OpenStep {
  subject: VerdictSubject;
  incidentType: IncidentType;
  step: Extract<IncidentStep, { kind: 'open' }>;
}

export interface VerdictChange {
  from: Verdict;
  to: Verdict;
}

/**
 * Decides the verdicts of these monitors again and carries out what follows, in the caller's
 * transaction: the verdicts are locked, in the order of their keys, until it ends.
 * @returns the verdicts that changed
 */
export async function reachVerdicts(
  deps: { clock: Clock },
  tx: Tx,
  monitorKeys: readonly number[],
): Promise<VerdictChange[]> {
  if (monitorKeys.length === 0) return [];
  const keys = [...new Set(monitorKeys)].sort((a, b) => a - b);
  await verdictStore.lock(tx, keys, new Date(deps.clock.now()));
  const nowMs = deps.clock.now();
  const subjects = await verdictStore.subjects(tx, keys);
  const incidents = grouped(await currentIncidents(tx, keys));

  const changes: ChangedVerdict[] = [];
  const verdicts: VerdictChange[] = [];
  const settled: SeriesKey[] = [];
  const opens: OpenStep[] = [];
  const commands: IncidentCommand[] = [];
  for (const subject of subjects) {
    const { monitorKey, standings } = subject;
    const newest = incidents.get(monitorKey) ?? [];
    const settings = { ...subject.settings, suspects: NO_SUSPECTS };
    const { state, steps, decideAtMs } = decideVerdict(subject.state, standings, settings, newest, nowMs);
    if (decideAtMs !== subject.decideAtMs || !isDeepStrictEqual(state, subject.state)) {
      changes.push({ monitorKey, state, decideAtMs });
    }
    if (state.verdict !== subject.state.verdict) verdicts.push({ from: subject.state.verdict, to: state.verdict });
    for (const standing of subject.settings.isEnabled ? standings : []) {
      const { kind, region } = standing;
      if (!standing.settled && isSettled(standing, nowMs)) settled.push({ monitorKey, kind, region });
    }
    for (const { incidentType, step } of steps) {
      if (step.kind === 'open') opens.push({ subject, incidentType, step });
      else commands.push({ ...step, workspaceId: subject.workspaceId, atMs: nowMs });
    }
  }
  commands.push(...(await openCommands(tx, opens, nowMs)));
  await verdictStore.save(tx, changes, settled);
  if (commands.length > 0) await applyIncidentCommands(deps, tx, commands);
  return verdicts;
}

/** Evidence is what the first failing check of each region saw, not what was seen when the incident opened. */
async function openCommands(tx: Tx, opens: readonly OpenStep[], nowMs: number): Promise<IncidentCommand[]> {
  const firstFailures = opens.flatMap(({ subject, step }) =>
    failingOf(subject, step.regions).flatMap(({ kind, region, streakSinceMs }) =>
      streakSinceMs === null ? [] : [{ monitorKey: subject.monitorKey, kind, region, scheduledAtMs: streakSinceMs }],
    ),
  );
  const failures = grouped(await evidenceStore.failures(tx, firstFailures));
  return opens.map(({ subject, incidentType, step }): IncidentCommand => {
    const { monitorKey, monitorId, workspaceId, name } = subject;
    const seen = (failures.get(monitorKey) ?? []).map(({ monitorKey: _, ...failure }): FailureEvidence => failure);
    const told = failingOf(subject, step.regions).find(({ lastMessage }) => lastMessage !== null);
    return {
      kind: 'open',
      workspaceId,
      monitorKey,
      monitorId,
      monitorName: name,
      incidentType,
      severity: step.severity,
      regions: step.regions.toSorted((a, b) => regionCode(a) - regionCode(b)),
      failureReason: seen[0]?.message ?? told?.lastMessage ?? 'The checks failed.',
      context: { failingSince: seen[0]?.scheduledAt ?? null, failures: seen },
      atMs: nowMs,
      events: step.events,
      openedDetail: step.earlierIncidentId === null ? {} : { earlierIncidentId: step.earlierIncidentId },
    };
  });
}

function failingOf({ standings }: VerdictSubject, regions: readonly Region[]): StandingRow[] {
  return standings.filter(
    ({ failing, kind, region }) => failing && AVAILABILITY_KINDS.has(kind) && regions.includes(region),
  );
}

function grouped<Row extends { monitorKey: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.monitorKey);
    if (group) group.push(row);
    else groups.set(row.monitorKey, [row]);
  }
  return groups;
}
