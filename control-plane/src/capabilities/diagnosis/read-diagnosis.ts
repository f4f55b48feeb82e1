import type { Clock } from '@watchpost/shared/clock';
import type { CheckKind } from '@watchpost/shared/check';
import { Fault, found } from '@watchpost/shared/fault';
import type { IncidentType } from '@watchpost/shared/incident-types';
import { regionOfCode } from '@watchpost/shared/region';
import { phasesOf } from '@watchpost/shared/steps/step-results';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Database, Tx } from '../../platform/db/database.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import { readableText } from '../../platform/mcp/monitored-data.js';
import { type Recheck, type RecheckDeps, recheckMonitor } from '../fleet/index.js';
import { getIncident, readIncidentEvidence } from '../incidents/index.js';
import { placeCodeOf } from '../locations/index.js';
import { listMarks } from '../marks/index.js';
import { readWorkspaceOnCall } from '../on-call/index.js';
import { readNotified } from '../paging/index.js';
import { workspaceEntitlements } from '../plans/index.js';
import { decideCause } from './decide-cause.js';
import type { Diagnosis, DiagnosisPart } from './diagnosis-schemas.js';
import { diagnosisStore, type Span, type Subject } from './diagnosis-store.js';
import { firstEvidence } from './first-evidence.js';
import { fitDiagnosis } from './fit-diagnosis.js';

export interface DiagnosisDeps extends RecheckDeps {
  db: Database;
  clock: Clock;
}

/** What changed is listed for this time before the first failure. */
const LISTED_MS = DAY_MS;
/** What changed within this is taken for a cause. */
const SUSPECT_MS = 2 * HOUR_MS;
const AFTER_MAINTENANCE_MS = 30 * MINUTE_MS;
/** With what else there is to read, an answer is out within 10 s. */
const RECHECK_MS = 8_000;
const MOST_MARKS = 20;
const MOST_CHANGES = 12;
const DETAIL_LENGTH = 200;

/** A name whose answers change so often in a day has moving addresses. */
const USUAL_CHANGES = 3;
/** Settings of a monitor that change no check of it. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...['name', 'tags', 'serviceGroupId', 'teamId', 'dependsOn'],
  ...['dailyReport', 'weeklyReport', 'monthlyReport', 'actionGroupIds'],
]);
/** The check by which a type of incident is found; any check of the monitor for the others. */
const KIND_OF: Partial<Record<IncidentType, CheckKind>> = { SslExpiry: 'ssl', Dns: 'dns' };

type Missing = Diagnosis['missing'][number];
type Change = Diagnosis['changedBefore'][number];
type Part<Value> = { value: Value; missing: Missing[] };

/**
 * What the first minutes of an incident need: its likely cause, what was seen first and now, what changed before, what else
 * fails, and who knows. What could not be had is named in `missing`.
 * @throws Fault not_found
 */
export async function readDiagnosis(
  deps: DiagnosisDeps,
  actor: Actor,
  incidentId: string,
  { recheck }: { recheck: boolean },
): Promise<Diagnosis> {
  const incident = await getIncident(deps, actor, incidentId);
  const subject = await deps.db.read((tx) => diagnosisStore.subject(actor.workspace.workspaceId, tx, incidentId));
  const [checked, { evidence, sinceMs, changes, around, people }] = await Promise.all([
    recheck ? recheckPart(deps, actor, subject, incident) : { value: [], missing: [] },
    readRecorded(deps, actor, subject, incident),
  ]);

  const first = evidence.failures[0];
  const placesOf = (verdict: string) =>
    evidence.regions.filter((one) => one.verdict === verdict).map(({ region }) => region);
  const where = { failing: placesOf('failing'), fine: placesOf('fine'), unknown: placesOf('unknown') };
  const isWithin = (at: string, ms: number) => Date.parse(at) >= sinceMs - ms;
  const decided = decideCause({
    incidentType: incident.incidentType,
    phase: first?.phase ?? '',
    reason: first?.reason ?? '',
    message: first?.message ?? '',
    isPartial: worksSomewhere(first?.evidence?.addresses ?? []),
    statusCode: first?.statusCode ?? null,
    failing: where.failing.length,
    fine: where.fine.length,
    failedDependencies: around.dependsOn.filter((one) => one.incidentId !== null).map(({ name }) => name),
    changed: new Set(
      changes.filter((one) => isWithin(one.at, SUSPECT_MS) && isSuspect(one, changes)).map(({ what }) => what),
    ),
    followsMaintenance: changes.some(
      ({ at, what, detail }) =>
        what === 'maintenance' && detail.endsWith(' ended') && isWithin(at, AFTER_MAINTENANCE_MS),
    ),
    certificate: evidence.certificate,
    dnsDiffers: evidence.dns.some((one) => one.changes.length > 0),
    slowPhase: slowestPhase(checked.value),
    report: evidence.report?.kind ?? null,
    domain: evidence.domain?.state ?? null,
    recent: around.recent,
    rechecked: checked.value.map(({ outcome }) => outcome),
  });
  const missing = [...checked.missing, ...people.missing];
  if (evidence.regions.length === 0 && !evidence.report && !evidence.domain)
    missing.push({ part: 'where', why: 'The monitor is deleted.' });
  return fitDiagnosis({
    incidentId,
    verdict: { cause: decided.cause, sentence: decided.sentence },
    confidence: decided.confidence,
    since: new Date(sinceMs).toISOString(),
    isOver: evidence.isOver,
    where,
    phase: first ? readableText(first.phase) : null,
    firstEvidence: firstEvidence(evidence),
    recheck: checked.value,
    changedBefore: changes,
    siblings: around.siblings,
    dependsOn: around.dependsOn,
    similar: around.similar,
    people: { ...people.value, acknowledged: incident.acknowledgedAt },
    suggestions: [...decided.suggestions],
    missing,
  });
}

type Incident = Awaited<ReturnType<typeof getIncident>>;

async function readRecorded(deps: DiagnosisDeps, actor: Actor, subject: Subject, incident: Incident) {
  const { workspaceId } = actor.workspace;
  const evidence = await readIncidentEvidence(deps, actor, incident.id);
  const startedMs = Date.parse(incident.started);
  const sinceMs = Math.min(Date.parse(evidence.failingSince ?? incident.started), startedMs);
  const endMs = incident.ended === null ? deps.clock.now() + 1 : Date.parse(incident.ended);
  const before = { from: new Date(sinceMs - LISTED_MS), until: new Date(startedMs + 1) };
  const during = { from: new Date(sinceMs), until: new Date(endMs) };
  return {
    evidence,
    sinceMs,
    changes: await readChanges(deps, actor, subject, before),
    around: await deps.db.read((tx) => readAround(tx, workspaceId, incident.id, subject, during)),
    people: await readPeople(deps, actor, incident.id),
  };
}

async function recheckPart(
  deps: DiagnosisDeps,
  { workspace, caller }: Actor,
  { monitorKey }: Subject,
  { incidentType, regions }: Incident,
): Promise<Part<Diagnosis['recheck']>> {
  const without = (why: string) => ({ value: [], missing: [{ part: 'recheck' as const, why }] });
  if (!roleAllows(workspace.role, 'Responder') || !scopesAllow(caller.scopes, ['monitor.admin', 'incident.write']))
    return without('A recheck needs the role Responder and the scope incident.write.');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), RECHECK_MS);
  });
  try {
    const kind = KIND_OF[incidentType] ?? null;
    const made = await Promise.race([
      recheckMonitor(deps, workspace.ownerId, { monitorKey, kind, failing: regions }),
      late,
    ]);
    if (made === null) return without('The checks took too long.');
    return { value: made.map(viewOfRecheck), missing: [] };
  } catch (error) {
    if (error instanceof Fault && (error.code === 'unavailable' || error.code === 'rate_limited'))
      return without(readableText(error.message));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function viewOfRecheck({ region, result: { outcome, statusCode, totalUs, timings } }: Recheck) {
  const { auth = 0, ...phases } = phasesOf(timings);
  return {
    place: region,
    outcome: outcome.kind,
    message: outcome.kind === 'up' ? null : readableText(outcome.message, DETAIL_LENGTH),
    statusCode,
    responseTime: totalUs / 1_000,
    timings: { auth, ...phases },
  };
}

/**
 * Checks a monitor now, as a diagnosis does.
 * @param place a region, or `private:` and a slug: the only place that checks it
 * @throws Fault not_found, validation_failed, unavailable, rate_limited
 */
export async function checkMonitor(
  deps: RecheckDeps,
  { workspace: { workspaceId, ownerId } }: Actor,
  monitorId: string,
  place?: string,
): Promise<Diagnosis['recheck']> {
  const { key, code } = await deps.db.read(async (tx) => ({
    key: found(await diagnosisStore.monitorKey(workspaceId, tx, monitorId), 'monitor'),
    code: place === undefined ? null : await placeCodeOf(tx, workspaceId, place),
  }));
  const only = code === null ? null : regionOfCode(code);
  return (await recheckMonitor(deps, ownerId, { monitorKey: key, kind: null, failing: [], only })).map(viewOfRecheck);
}

/** What changed about the monitor, and what was marked, newest first. */
async function readChanges(
  deps: DiagnosisDeps,
  actor: Actor,
  { monitorKey, tags }: Subject,
  { from, until }: Span,
): Promise<Diagnosis['changedBefore']> {
  const range = { startDate: from.getTime(), endDate: until.getTime() };
  const marks = await listMarks(deps, actor, range, { limit: MOST_MARKS, offset: 0 });
  const changes = await deps.db.read((tx) =>
    diagnosisStore.changes(actor.workspace.workspaceId, tx, monitorKey, { from, until }),
  );
  const concerns = (ofMark: readonly string[]) => ofMark.length === 0 || ofMark.some((tag) => tags.includes(tag));
  return [
    ...changes.map(({ at, what, detail }) => ({ at: at.toISOString(), what, detail })),
    ...marks.items
      .filter((mark) => concerns(mark.tags))
      .map(({ at, text, url }) => ({ at, what: 'mark' as const, detail: url === null ? text : `${text} (${url})` })),
  ]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_CHANGES)
    .map((change) => ({ ...change, detail: readableText(change.detail, DETAIL_LENGTH) }));
}

async function readAround(tx: Tx, workspaceId: string, incidentId: string, subject: Subject, span: Span) {
  const similar = await diagnosisStore.similar(workspaceId, tx, incidentId);
  const named = <Other extends { name: string }>(one: Other): Other => ({
    ...one,
    name: readableText(one.name, DETAIL_LENGTH),
  });
  return {
    siblings: (await diagnosisStore.siblings(workspaceId, tx, subject, span)).map(named),
    dependsOn: (await diagnosisStore.dependsOn(workspaceId, tx, subject, span)).map(named),
    recent: await diagnosisStore.recent(workspaceId, tx, incidentId, new Date(span.from.getTime() - DAY_MS)),
    similar: similar.map(({ when, cause, note, ...one }) => ({
      ...one,
      when: when.toISOString(),
      cause: readableText(cause, DETAIL_LENGTH),
      note: note === null ? null : readableText(note, DETAIL_LENGTH),
    })),
  };
}

async function readPeople(
  { db, clock }: DiagnosisDeps,
  { workspace: { workspaceId }, caller }: Actor,
  incidentId: string,
): Promise<Part<Omit<Diagnosis['people'], 'acknowledged'>>> {
  const mayKnow = scopesAllow(caller.scopes, ['account.read']);
  return db.read(async (tx) => {
    const nowMs = clock.now();
    const notifiedOf = await readNotified(tx, workspaceId, [incidentId], nowMs);
    const { people, groups, failedDeliveries } = notifiedOf(incidentId);
    const teams = mayKnow
      ? await readWorkspaceOnCall(tx, workspaceId, await workspaceEntitlements(tx, workspaceId), nowMs, nowMs)
      : [];
    const reached = [...people.map(({ name, userId }) => name ?? userId), ...groups.map(({ name }) => name)];
    const part: DiagnosisPart = 'people.onCall';
    return {
      value: {
        onCall: teams.slice(0, MOST_CHANGES).map(({ teamName, now }) => ({
          team: readableText(teamName, DETAIL_LENGTH),
          person: now && readableText(now.person.name ?? now.person.email ?? '', DETAIL_LENGTH),
        })),
        notified: reached.length + failedDeliveries,
        reached: reached.slice(0, MOST_CHANGES).map((name) => readableText(name, DETAIL_LENGTH)),
      },
      missing: mayKnow ? [] : [{ part, why: 'Who is on call needs the scope account.read.' }],
    };
  });
}

/** Decides whether a change can be the cause: not where such changes are usual, nor where it changes no check. */
function isSuspect({ what, detail }: Change, all: readonly Change[]): boolean {
  if (what === 'dns') return all.filter((one) => one.what === what).length < USUAL_CHANGES;
  if (what !== 'configuration') return true;
  const fields = detail.split(': ')[1]?.split(', ') ?? [];
  return fields.length === 0 || fields.some((field) => !WITHOUT_EFFECT.has(field.split('.')[0]!));
}

function worksSomewhere(addresses: readonly { status: string }[]): boolean {
  const has = (status: string) => addresses.some((one) => one.status === status);
  return has('available') && has('unavailable');
}

/** The phase that takes most of the slowest check. */
function slowestPhase(checks: Diagnosis['recheck']): string | null {
  const slowest = checks.toSorted((a, b) => b.responseTime - a.responseTime)[0];
  if (!slowest) return null;
  return Object.entries(slowest.timings).toSorted(([, a], [, b]) => b - a)[0]![0];
}
