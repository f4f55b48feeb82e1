import type { IncidentType } from '@watchpost/shared/incident-types';
import { checkKindsOfIncident } from '@watchpost/shared/check';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { sendTogether } from '../../../platform/db/send-together.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { EvidenceContext, FailureEvidence, IncidentCommand } from '../../incidents/index.js';
import { answerHistoryStore, type AnswerAround } from '../warnings/answer-history-store.js';
import { daysLeft } from '../warnings/check-answer.js';
import { decideDnsChanges } from '../warnings/decide-dns-changes.js';
import type { IncidentStep, Trouble } from '../outage/decide-incident-track.js';
import { latencyMessage } from '../warnings/decide-latency.js';
import { describeSsl } from '../warnings/describe-ssl.js';
import type { SuccessReadings } from '../warnings/is-one-sided.js';
import type { VerdictDecision } from './decide-verdict.js';
import { readFailures } from './evidence-store.js';
import { secondOpinionStore, type StoredOpinion } from '../trust/second-opinion-store.js';
import type { ResultKey, Series } from '../series/series.js';
import type { VerdictSubject } from './verdict-store.js';

/** An opening, with the incident of a cause that explained the failure until now. */
type OpeningStep = Extract<IncidentStep, { kind: 'open' }> & { causeIncidentId?: string | null };

export interface OpenStep {
  subject: VerdictSubject;
  incidentType: IncidentType;
  step: OpeningStep | AttachStep;
  successes: SuccessReadings;
  measured: Pick<VerdictDecision, 'latency' | 'assertions'>;
}

/** An incident of a cause explains the failure. Its evidence is kept as that of an incident of its own would be. */
export interface AttachStep extends Pick<Trouble, 'regions' | 'severity'> {
  kind: 'attach';
  incidentId: string;
  atMs: number;
}

/** The evidence of an incident is that of the first failing check of each region, not of the check that opened it. */
export async function openCommands(tx: Tx, opens: readonly OpenStep[], nowMs: number): Promise<IncidentCommand[]> {
  if (opens.length === 0) return [];
  const firstFailures = opens.map((open) => firstFailuresOf(open));
  const [failures, answers, opinions] = await sendTogether(
    readFailures(tx, firstFailures.flat()),
    answerHistoryStore.around(
      tx,
      firstFailures.flat().filter(({ kind }) => kind === 'ssl' || kind === 'dns'),
    ),
    secondOpinionStore.about(
      tx,
      firstFailures.flat().map(({ scheduledAtMs: sinceMs, ...key }) => ({ ...key, sinceMs })),
    ),
  );
  const byMonitor = {
    failures: groupBy(failures, ({ monitorKey }) => monitorKey),
    answers: groupBy(answers, ({ monitorKey }) => monitorKey),
    opinions: groupBy(opinions, ({ monitorKey }) => monitorKey),
  };
  return opens.map((open, index): IncidentCommand => {
    const { subject, incidentType, step } = open;
    const { monitorKey, monitorId, workspaceId, name } = subject;
    const keys = firstFailures[index]!;
    const evidence = (byMonitor.failures.get(monitorKey) ?? []).flatMap(
      ({ monitorKey: _, kind, ...failure }): FailureEvidence[] =>
        keys.some((one) => one.kind === kind) ? [failure] : [],
    );
    const around = (byMonitor.answers.get(monitorKey) ?? []).filter((one) => keys.some((key) => isSame(key, one)));
    const explained = failingOf(open).find(({ lastMessage }) => lastMessage !== null);
    const failure = {
      workspaceId,
      monitorKey,
      monitorId,
      monitorName: name,
      incidentType,
      severity: step.severity,
      regions: step.regions.toSorted((a, b) => regionCode(a) - regionCode(b)),
      failureReason: latencyReason(open) ?? evidence[0]?.message ?? explained?.lastMessage ?? 'The checks failed.',
      context: {
        ...(incidentType === 'Latency'
          ? latencyContext(open)
          : { failingSince: evidence[0]?.scheduledAt ?? null, failures: evidence }),
        ...secondOpinionContext(keys, byMonitor.opinions.get(monitorKey) ?? []),
        ...(incidentType === 'SslExpiry' ? { certificate: certificateOf(around, evidence) } : {}),
        ...(incidentType === 'Dns' ? { dns: around.map(dnsEvidence) } : {}),
      },
    };
    if (step.kind === 'attach') return { ...failure, kind: 'attach', incidentId: step.incidentId, atMs: step.atMs };
    const { startedMs, events, earlierIncidentId, causeIncidentId } = step;
    const openedDetail = {
      ...(earlierIncidentId === null ? {} : { earlierIncidentId }),
      ...(causeIncidentId ? { causeIncidentId } : {}),
    };
    return { ...failure, kind: 'open', atMs: nowMs, startedMs, events, openedDetail };
  });
}

/** The command by which a failure is no longer attached; it may fail again in an incident of its own that waits for a person. */
export function detachCommand(
  { workspaceId, monitorKey }: VerdictSubject,
  incidentType: IncidentType,
  incidentId: string,
  steps: readonly { incidentType: IncidentType; step: IncidentStep }[],
  atMs: number,
): IncidentCommand {
  const relapse = steps.find(({ incidentType: type, step }) => type === incidentType && step.kind === 'relapse')?.step;
  const ownIncidentId = relapse?.kind === 'relapse' ? relapse.incidentId : null;
  return { kind: 'detach', workspaceId, incidentId, monitorKey, incidentType, atMs, ownIncidentId };
}

function failingOf({ subject, incidentType, step, measured }: OpenStep): readonly Series[] {
  // Slow is not failing: what a latency incident is about is its window.
  if (incidentType === 'Latency') return [];
  const kinds = checkKindsOfIncident(incidentType);
  return (incidentType === 'Assertion' ? measured.assertions : subject.series).filter(
    ({ failing, kind, region }) => failing && kinds.includes(kind) && step.regions.includes(region),
  );
}

function firstFailuresOf(open: OpenStep): ResultKey[] {
  return failingOf(open).flatMap(({ kind, region, streakSinceMs }) =>
    streakSinceMs === null ? [] : [{ monitorKey: open.subject.monitorKey, kind, region, scheduledAtMs: streakSinceMs }],
  );
}

function isSame(a: ResultKey, b: ResultKey): boolean {
  return a.monitorKey === b.monitorKey && a.kind === b.kind && a.region === b.region;
}

/** The certificate that the first failing region received. */
function certificateOf(around: readonly AnswerAround[], evidence: readonly FailureEvidence[]) {
  const shown = around
    .toSorted((a, b) => a.scheduledAtMs - b.scheduledAtMs)
    .find(({ content }) => content?.kind === 'ssl');
  if (shown?.content?.kind !== 'ssl') return null;
  const { region, scheduledAtMs, content } = shown;
  const failureReason = evidence.find((failure) => failure.region === region)?.message ?? null;
  const { ocsp, ...certificate } = content;
  const { subject, issuer, validFrom, validTo } = certificate;
  return {
    ...describeSsl(
      { ...certificate, daysUntilExpiry: daysLeft(content.validTo, scheduledAtMs) },
      { checkedAtMs: scheduledAtMs, region, failureReason },
    ),
    ...{ subject, issuer, validFrom, validTo, ocsp },
  };
}

function dnsEvidence({ region, content, before, beforeAtMs }: AnswerAround) {
  const was = before?.kind === 'dns' ? before : null;
  const is = content?.kind === 'dns' ? content : null;
  return {
    region,
    before: was && { checkedAt: new Date(beforeAtMs!).toISOString(), resolver: was.resolver, records: was.records },
    after: is && {
      resolver: is.resolver,
      records: is.records,
      failures: is.failures ?? {},
      propagation: is.propagation,
    },
    changes: was && is ? decideDnsChanges(was.records, is.records) : [],
  };
}

function latencyReason({
  incidentType,
  successes: { latency: reading },
  measured: { latency },
}: OpenStep): string | null {
  if (incidentType !== 'Latency' || !reading || !latency || latency.valueMs === null) return null;
  return latencyMessage(reading.settings, latency.valueMs);
}

function latencyContext({
  successes: { latency: reading },
  measured: { latency },
}: OpenStep): Pick<EvidenceContext, 'latency'> {
  if (!reading || !latency) return {};
  const checksOf = (region: Region) =>
    (reading.windows.get(region) ?? []).map(({ scheduledAtMs, totalUs }) => ({
      scheduledAt: new Date(scheduledAtMs).toISOString(),
      responseTime: totalUs / 1_000,
    }));
  const measured = {
    ...reading.settings,
    value: latency.valueMs,
    unit: 'ms',
    regions: latency.regions.map(({ region, valueMs }) => ({ region, value: valueMs, checks: checksOf(region) })),
  };
  return { latency: measured };
}

/** The confirming runs for these failures, as an incident's `context` contains them; nothing without any. */
function secondOpinionContext(
  keys: readonly ResultKey[],
  opinions: readonly StoredOpinion[],
): Pick<EvidenceContext, 'secondOpinions'> {
  const about = opinions.filter((opinion) =>
    keys.some(
      ({ monitorKey, kind, region }) =>
        monitorKey === opinion.monitorKey && kind === opinion.kind && region === opinion.failedIn,
    ),
  );
  return about.length === 0 ? {} : { secondOpinions: about.map(({ monitorKey: _, kind: __, ...opinion }) => opinion) };
}
