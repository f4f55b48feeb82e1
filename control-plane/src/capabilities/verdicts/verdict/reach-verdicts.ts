import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { sendTogether } from '../../../platform/db/send-together.js';
import { recordMonitorEvents } from '../../events/index.js';
import { readHeartbeats, type ReachedHeartbeat, saveHeartbeats } from '../../heartbeats/index.js';
import {
  type ApplyDeps,
  applyIncidentCommands,
  currentIncidents,
  type IncidentCommand,
  lockOpenIncidents,
} from '../../incidents/index.js';
import type { AlertEvent } from '../../channels/index.js';
import { readDomains } from '../../domains/index.js';
import { publishEvents } from '../../paging/index.js';
import { reachDomain } from './reach-domain.js';
import { decideVerdict, isSettled, type Hold } from './decide-verdict.js';
import { isOneSided } from '../warnings/is-one-sided.js';
import { detachCommand, openCommands, type OpenStep } from './open-commands.js';
import { reachHeartbeat } from './reach-heartbeat.js';
import { readCauses } from './read-causes.js';
import { readSuccessWindows } from '../warnings/read-success-windows.js';
import type { Series, Verdict } from '../series/series.js';
import { verdictStore, type ChangedVerdict, type SettledSeries } from './verdict-store.js';

export interface VerdictChange {
  from: Verdict;
  to: Verdict;
}

/**
 * Decides the verdicts of these monitors again and applies the consequences, in the transaction of the caller. The
 * verdicts are locked, in the order of their keys, until it ends.
 * @param reviewed the holds that have another end, by monitor
 * @returns the verdicts that changed
 */
export async function reachVerdicts(
  deps: ApplyDeps,
  tx: Tx,
  monitorKeys: readonly number[],
  reviewed: ReadonlyMap<number, Hold> = new Map(),
): Promise<VerdictChange[]> {
  if (monitorKeys.length === 0) return [];
  const keys = [...new Set(monitorKeys)].sort((a, b) => a - b);
  await verdictStore.lock(tx, keys, new Date(deps.clock.now()));
  const nowMs = deps.clock.now();
  const [subjects, newestIncidents] = await sendTogether(
    verdictStore.subjects(tx, keys, new Date(nowMs)),
    currentIncidents(tx, keys),
  );
  const incidents = groupBy(await lockOpenIncidents(tx, keys, newestIncidents), ({ monitorKey }) => monitorKey);
  const ofHeartbeats = subjects.filter(({ settings }) => settings.monitorTypes.includes('Heartbeat'));
  const ofDomains = subjects.filter(({ settings }) => settings.monitorTypes.includes('Domain'));
  const [causes, readings, heartbeats, domains] = await sendTogether(
    readCauses(tx, subjects, nowMs),
    readSuccessWindows(tx, subjects, nowMs),
    readHeartbeats(
      tx,
      ofHeartbeats.map(({ monitorKey }) => monitorKey),
    ),
    readDomains(
      tx,
      ofDomains.map(({ monitorKey }) => monitorKey),
    ),
  );

  const changes: ChangedVerdict[] = [];
  const verdicts: VerdictChange[] = [];
  const settled: SettledSeries[] = [];
  const opens: OpenStep[] = [];
  const commands: IncidentCommand[] = [];
  const reached: ReachedHeartbeat[] = [];
  const events: AlertEvent[] = [];
  const begun: { workspaceId: string; monitorId: string }[] = [];
  for (const subject of subjects) {
    const { monitorKey, series } = subject;
    const newest = incidents.get(monitorKey) ?? [];
    const heartbeat = heartbeats.get(monitorKey);
    if (heartbeat) {
      const { verdict, ...follows } = reachHeartbeat(subject, heartbeat, newest, causes.get(monitorKey), nowMs);
      const { state, decideAtMs } = verdict;
      if (decideAtMs !== subject.decideAtMs || !isDeepStrictEqual(state, subject.state))
        changes.push({ monitorKey, state, decideAtMs });
      if (state.verdict !== subject.state.verdict) verdicts.push({ from: subject.state.verdict, to: state.verdict });
      reached.push(follows.reached);
      commands.push(...follows.commands);
      continue;
    }
    const domain = domains.get(monitorKey);
    if (domain) {
      const { state, decideAtMs, ...follows } = reachDomain(subject, domain, newest, nowMs);
      if (decideAtMs !== subject.decideAtMs || !isDeepStrictEqual(state, subject.state))
        changes.push({ monitorKey, state, decideAtMs });
      if (state.verdict !== subject.state.verdict) verdicts.push({ from: subject.state.verdict, to: state.verdict });
      commands.push(...follows.commands);
      events.push(...follows.events);
      continue;
    }
    const successes = readings.get(monitorKey) ?? {};
    const settings = {
      ...subject.settings,
      successes,
      reviewed: reviewed.get(monitorKey),
      causes: causes.get(monitorKey),
    };
    const { state, steps, attachment, decideAtMs, ...measured } = decideVerdict(
      subject.state,
      series,
      settings,
      newest,
      nowMs,
    );
    if (decideAtMs !== subject.decideAtMs || !isDeepStrictEqual(state, subject.state)) {
      changes.push({ monitorKey, state, decideAtMs });
    }
    if (isFirstResult(series) && state.healthStatus === null) begun.push(subject);
    if (state.verdict !== subject.state.verdict) verdicts.push({ from: subject.state.verdict, to: state.verdict });
    for (const one of subject.settings.isEnabled ? series : []) {
      const { kind, region } = one;
      const { latency, assertions } = kind === 'http' ? successes : {};
      const slowAboveUs = latency ? latency.settings.thresholdMs * 1_000 : null;
      const side = {
        isSlow: latency !== undefined && state.memory.tracks?.Latency?.sinceMs !== undefined,
        isWarning: assertions !== undefined && measured.assertions.some((of) => of.region === region && of.failing),
      };
      const settles = isSettled(one, nowMs) && (kind !== 'http' || isOneSided(successes, region, side));
      if ((!one.settled && settles) || one.slowAboveUs !== slowAboveUs)
        settled.push({ monitorKey, kind, region, settled: settles, slowAboveUs, ...side });
    }
    const { coveredUntilMs } = settings;
    const isSilent = coveredUntilMs !== null && nowMs < coveredUntilMs;
    for (const { incidentType, step } of steps) {
      if (step.kind === 'open') {
        const causeIncidentId = incidentType === 'Availability' ? (attachment?.detach ?? null) : null;
        opens.push({ subject, incidentType, step: { ...step, causeIncidentId }, successes, measured });
      } else commands.push({ ...step, workspaceId: subject.workspaceId, atMs: nowMs, isSilent });
    }
    if (attachment) {
      const { attach: incidentId, detach, regions, severity } = attachment;
      if (incidentId !== null)
        opens.push({
          subject,
          incidentType: 'Availability',
          step: { kind: 'attach', incidentId, regions, severity, atMs: nowMs },
          successes,
          measured,
        });
      if (detach !== null) commands.push(detachCommand(subject, 'Availability', detach, steps, nowMs));
    }
  }
  commands.push(...(await openCommands(tx, opens, nowMs)));
  await sendTogether(
    verdictStore.save(tx, changes, settled),
    saveHeartbeats(tx, reached),
    commands.length > 0 ? applyIncidentCommands(deps, tx, commands) : Promise.resolve(),
  );
  if (events.length > 0) await publishEvents(deps, tx, events);
  await recordMonitorEvents(tx, begun);
  return verdicts;
}

/** The only conclusive result that there is: it may have changed nothing else, and is worth an event. */
function isFirstResult(series: readonly Series[]): boolean {
  const reporting = series.filter(({ conclusiveAtMs }) => conclusiveAtMs !== null);
  return reporting.length === 1 && reporting[0]!.streak === 1;
}
