import type { CheckKind } from '@watchpost/shared/check';
import { Fault } from '@watchpost/shared/fault';
import { HOME_REGION, parseRegion, type Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { incidentOfEvidenceLink } from '../../alerts/index.js';
import type { Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { BarSpan } from '../../../platform/pages/span-bar.js';
import type { IncidentView } from '../describe-incident.js';
import type { IncidentType } from '../incident-commands.js';
import { type IncidentDeps, readIncident } from '../read-incidents.js';
import { decideRegionVerdicts, type RegionVerdict } from './decide-region-verdicts.js';
import { incidentPageStore, inOrder, type PageSubject } from './incident-page-store.js';
import { type PageEvidence, readEvidence } from './page-evidence.js';
import { likelySecrets } from './redact-text.js';

export interface IncidentPageDeps extends IncidentDeps {
  secretBox: SecretBox;
  /** Results are above incidents: the day around one is read through this. */
  readDay(workspaceId: string, monitorId: string, period: { startDate: number; endDate: number }): Promise<DayAround>;
}

/** Availability and latency around an incident. */
export interface DayAround {
  spans: readonly BarSpan[];
  /** Averages of all regions, ms. */
  latency: readonly { time: string; average: number }[];
}

export interface IncidentPage {
  incident: IncidentView;
  subject: Omit<PageSubject, 'http'>;
  evidence: PageEvidence;
  regions: RegionVerdict[];
  /** What people call themselves; null where they have said nothing that is no address. */
  nameOf(userId: string | null): string | null;
  day: DayAround;
  /** Values that must not be shown, the longest first. */
  secrets: readonly string[];
  nowMs: number;
}

/** So long after an incident was closed its page can be looked at. */
export const SHOWN_FOR_DAYS = 30;
/** Two of the longest intervals and the longest timeout: no check speaks for its region longer. */
const LONGEST_FRESH_MS = 2 * HOUR_MS + 60_000;
/** So much of what came after it the picture shows. */
const AFTER_MS = 2 * HOUR_MS;

const KINDS: Readonly<Record<IncidentType, readonly CheckKind[]>> = {
  Availability: ['http', 'tcpUdp'],
  Latency: ['http'],
  SslExpiry: ['ssl'],
  Dns: ['dns'],
};

/**
 * All that the page of an incident shows, for whoever holds its link.
 * @throws Fault not_found, the same whether the link was made up, is too old, or what it showed is gone
 */
export async function readIncidentPage(deps: IncidentPageDeps, token: string): Promise<IncidentPage> {
  const nowMs = deps.clock.now();
  const read = await deps.db.read(async (tx) => {
    const incidentId = await incidentOfEvidenceLink(deps.secretBox, tx, token);
    return incidentId === undefined ? undefined : readOne(deps, tx, incidentId, nowMs);
  });
  if (!read) {
    throw new Fault(
      'not_found',
      `This link leads nowhere, or no longer: it ends ${SHOWN_FOR_DAYS} days after its incident was closed, with the monitor, and when it is revoked. ` +
        'Members of the workspace find the incident over REST or through an assistant.',
    );
  }
  const { workspaceId, monitorId } = read.subject;
  const endMs = Math.min(nowMs, endOf(read.incident, nowMs) + AFTER_MS);
  const day = await deps.readDay(workspaceId, monitorId, { startDate: endMs - DAY_MS, endDate: endMs });
  return { ...read, day, nowMs };
}

async function readOne(
  deps: IncidentPageDeps,
  tx: Tx,
  incidentId: string,
  nowMs: number,
): Promise<Omit<IncidentPage, 'day' | 'nowMs'> | undefined> {
  const found = await incidentPageStore.subject(tx, incidentId);
  if (!found) return undefined;
  const { http, ...subject } = found;
  const incident = await readIncident(deps, tx, subject.workspaceId, incidentId);
  const endsMs = evidenceEnds(incident);
  if (endsMs !== null && endsMs <= nowMs) return undefined;
  const evidence = readEvidence(incident.context);
  const names = await incidentPageStore.names(subject.workspaceId, tx, incidentId);
  return {
    incident,
    subject,
    evidence,
    regions: await regionsOf(tx, subject, incident, evidence, nowMs),
    nameOf: (userId) => personName(userId === null ? null : (names.get(userId) ?? null)),
    secrets: likelySecrets({ url: subject.url, ...http }),
  };
}

/** When the links to the evidence end, ms since the epoch; null while the incident is open. */
export function evidenceEnds({
  isClosed,
  lastModified,
}: Pick<IncidentView, 'isClosed' | 'lastModified'>): number | null {
  return isClosed ? Date.parse(lastModified) + SHOWN_FOR_DAYS * DAY_MS : null;
}

/** A name that is none but an address is not told. */
export function personName(name: string | null): string | null {
  return name === null || name.includes('@') || name.trim() === '' ? null : name;
}

async function regionsOf(
  tx: Tx,
  { workspaceId, monitorKey, enabledRegions }: IncidentPage['subject'],
  incident: IncidentView,
  { failingSince, failures }: PageEvidence,
  nowMs: number,
): Promise<RegionVerdict[]> {
  const endMs = endOf(incident, nowMs);
  const beganMs = Math.min(Date.parse(incident.started), Date.parse(failingSince ?? incident.started));
  // A day of it says as much as a month, and is read in no time.
  const fromMs = Math.max(beganMs, endMs - DAY_MS);
  const window = { before: new Date(fromMs - LONGEST_FRESH_MS), from: new Date(fromMs), to: new Date(endMs) };
  const kinds = KINDS[incident.incidentType];
  const checks = await incidentPageStore.checks(workspaceId, tx, monitorKey, kinds, window);
  const failing = regionsNamed(incident.regions);
  const told = incident.timeline.flatMap(({ type, detail }) =>
    type === 'region_failed' ? [detail['region']] : type === 'opened' ? [detail['regions']].flat() : [],
  );
  const everFailed = regionsNamed([...failing, ...told, ...failures.map(({ region }) => region)]);
  return decideRegionVerdicts({
    regions: inOrder([HOME_REGION, ...regionsNamed(enabledRegions), ...everFailed, ...checks.keys()]),
    failing,
    everFailed,
    checks,
    fromMs,
    isOver: incident.ended !== null || incident.isClosed,
    nowMs,
  });
}

function regionsNamed(names: readonly unknown[]): Region[] {
  return names.flatMap((name) => (typeof name === 'string' ? (parseRegion(name) ?? []) : []));
}

/** When it ended, or now. */
export function endOf({ ended, isClosed, lastModified }: IncidentView, nowMs: number): number {
  return ended !== null ? Date.parse(ended) : isClosed ? Date.parse(lastModified) : nowMs;
}
