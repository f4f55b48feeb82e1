import { checkKindsOfIncident } from '@watchpost/shared/check';
import { INCIDENT_WORDS } from '@watchpost/shared/incident-types';
import { Fault } from '@watchpost/shared/fault';
import { isLocation, parseRegion, type Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { incidentOfEvidenceLink } from '../../delivery/index.js';
import type { Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { BarSpan } from '../../../platform/pages/span-bar.js';
import type { Incident } from '../incident-schemas.js';
import { type IncidentDeps, readIncident } from '../read-incidents.js';
import { decideRegionVerdicts, type RegionVerdict } from './decide-region-verdicts.js';
import { evidenceDocumentStore, inOrder, type DocumentSubject } from './evidence-document-store.js';
import { type EvidenceRead, readEvidence } from './read-evidence.js';
import { likelySecrets } from './redact-text.js';

export interface EvidenceDocumentDeps extends IncidentDeps {
  secretBox: SecretBox;
  /** Reads availability and latency. Passed in, because `results` is above `incidents`. */
  readDay(
    workspaceId: string,
    monitorId: string,
    period: { startDate: number; endDate: number },
  ): Promise<DayOfIncident>;
}

export interface DayOfIncident {
  spans: readonly BarSpan[];
  /** Averages of all regions, ms. */
  latency: readonly { time: string; average: number }[];
}

export interface EvidenceDocumentData {
  incident: Incident;
  subject: Omit<DocumentSubject, 'http'>;
  evidence: EvidenceRead;
  regions: RegionVerdict[];
  /** A person's display name; null where there is none or it is an email address. */
  nameOf(userId: string | null): string | null;
  day: DayOfIncident;
  /** Values to mask, the longest first. */
  secrets: readonly string[];
  nowMs: number;
}

/** The document is available until this many days after the incident was closed. */
export const AVAILABLE_FOR_DAYS = 30;
/** The longest time for which a result is fresh: two of the longest intervals, the longest timeout, and steps that always run. */
const LONGEST_FRESH_MS = 2 * HOUR_MS + 100_000;
/** The chart continues this long after the end of the incident. */
const AFTER_MS = 2 * HOUR_MS;

/**
 * Everything that the evidence document of a link shows.
 * @throws Fault not_found, the same for links that are invalid, expired or revoked, and for deleted monitors
 */
export async function readEvidenceDocument(deps: EvidenceDocumentDeps, token: string): Promise<EvidenceDocumentData> {
  const nowMs = deps.clock.now();
  const read = await deps.db.read(async (tx) => {
    const incidentId = await incidentOfEvidenceLink(deps.secretBox, tx, token);
    return incidentId === undefined ? undefined : readOne(deps, tx, incidentId, nowMs);
  });
  if (!read) {
    throw new Fault(
      'not_found',
      `This link is invalid or has expired. It expires ${AVAILABLE_FOR_DAYS} days after its incident was closed, when the monitor is deleted, and when it is revoked. ` +
        'Members of the workspace can sign in to see it.',
    );
  }
  const { workspaceId, monitorId } = read.subject;
  const endMs = Math.min(nowMs, endOfIncident(read.incident, nowMs) + AFTER_MS);
  const day = await deps.readDay(workspaceId, monitorId, { startDate: endMs - DAY_MS, endDate: endMs });
  return { ...read, day, nowMs };
}

async function readOne(
  deps: EvidenceDocumentDeps,
  tx: Tx,
  incidentId: string,
  nowMs: number,
): Promise<Omit<EvidenceDocumentData, 'day' | 'nowMs'> | undefined> {
  const found = await evidenceDocumentStore.subject(tx, incidentId);
  if (!found) return undefined;
  const { http, ...subject } = found;
  const incident = await readIncident(deps, tx, subject.workspaceId, incidentId);
  const endsMs = evidenceExpiry(incident);
  if (endsMs !== null && endsMs <= nowMs) return undefined;
  const evidence = readEvidence(incident.context);
  const people = await evidenceDocumentStore.people(subject.workspaceId, tx, incidentId);
  const names = new Map(people.map(({ userId, name }) => [userId, name]));
  return {
    incident,
    subject,
    evidence,
    regions: await regionsOf(tx, subject, incident, evidence, nowMs),
    nameOf: (userId) => personName(userId === null ? null : (names.get(userId) ?? null)),
    secrets: likelySecrets({ url: subject.url ?? '', ...http }),
  };
}

/** When the links to the evidence expire, ms since the epoch; null while the incident is open. */
export function evidenceExpiry({ isClosed, lastModified }: Pick<Incident, 'isClosed' | 'lastModified'>): number | null {
  return isClosed ? Date.parse(lastModified) + AVAILABLE_FOR_DAYS * DAY_MS : null;
}

/** The name, or null where it is empty or an email address. */
export function personName(name: string | null): string | null {
  return name === null || name.includes('@') || name.trim() === '' ? null : name;
}

export async function regionsOf(
  tx: Tx,
  { workspaceId, monitorKey, checkedFrom }: EvidenceDocumentData['subject'],
  incident: Incident,
  { failingSince, failures }: EvidenceRead,
  nowMs: number,
): Promise<RegionVerdict[]> {
  const kinds = checkKindsOfIncident(incident.incidentType);
  // A job is not checked from regions.
  if (kinds.length === 0) return [];
  const endMs = endOfIncident(incident, nowMs);
  const beganMs = Math.min(Date.parse(incident.started), Date.parse(failingSince ?? incident.started));
  // The last day is enough to judge a long incident, and bounds the read.
  const fromMs = Math.max(beganMs, endMs - DAY_MS);
  const window = { before: new Date(fromMs - LONGEST_FRESH_MS), from: new Date(fromMs), to: new Date(endMs) };
  const checks = await evidenceDocumentStore.checks(workspaceId, tx, monitorKey, kinds, window);
  const failing = regionsNamed(incident.regions);
  const recorded = incident.timeline.flatMap(({ type, detail }) =>
    type === 'region_failed' ? [detail['region']] : type === 'opened' ? [detail['regions']].flat() : [],
  );
  const everFailed = regionsNamed([...failing, ...recorded, ...failures.map(({ region }) => region)]);
  return decideRegionVerdicts({
    regions: inOrder([...checkedFrom, ...everFailed, ...checks.keys()]),
    failing,
    everFailed,
    recoveredMs: recoveriesOf(incident),
    checks,
    fromMs,
    isOver: isOver(incident),
    isOfSuccesses: INCIDENT_WORDS[incident.incidentType].isOfSuccesses === true,
    nowMs,
  });
}

/** When each region recovered that did not fail again, ms since the epoch. */
function recoveriesOf({ timeline }: Incident): Map<Region, number> {
  const recovered = new Map<Region, number>();
  for (const { type, at, detail } of timeline)
    for (const region of regionsNamed([detail['region']])) {
      if (type === 'region_recovered') recovered.set(region, Date.parse(at));
      else if (type === 'region_failed') recovered.delete(region);
    }
  return recovered;
}

function regionsNamed(names: readonly unknown[]): Region[] {
  return names.flatMap((name) =>
    typeof name === 'string' ? (isLocation(name) ? [name] : (parseRegion(name) ?? [])) : [],
  );
}

/** It has recovered, or somebody closed it. */
export function isOver({ ended, isClosed }: Pick<Incident, 'ended' | 'isClosed'>): boolean {
  return ended !== null || isClosed;
}

/** The end of an incident, or now while it is open, ms since the epoch. */
export function endOfIncident({ ended, isClosed, lastModified }: Incident, nowMs: number): number {
  return ended !== null ? Date.parse(ended) : isClosed ? Date.parse(lastModified) : nowMs;
}
