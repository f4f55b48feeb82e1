import type { Region } from '@watchpost/shared/region';
import type { CurrentIncident, IncidentEventInput, Severity } from '../../incidents/index.js';
import type { OutageSignal } from './decide-outage.js';

/** Flips between trouble and no trouble within this long are counted. */
const FLAP_WINDOW_MS = 3_600_000;
/** More flips than this in the window is flapping … */
const FLAP_LIMIT = 6;
/** … until there are no more than this. */
const FLAP_CALM = 3;
/** As many flips are remembered: enough to know when it is calm again. */
const FLAPS_KEPT = 16;
/** Trouble that is back so soon after an automatic close names the incident before it. */
const RELAPSE_MS = 300_000;

/** What is remembered of the trouble of one incident type; all of it may be absent. */
export interface TrackMemory {
  /** When the trouble that goes on began; absent: none goes on. */
  sinceMs?: number;
  /** What the open incident was told last. */
  told?: { regions: Region[]; severity: Severity };
  /** When trouble began or ended, over the last hour. */
  flipsMs?: number[];
  flapping?: boolean;
  autoClosed?: { incidentId: string; atMs: number };
}

export interface Trouble {
  signal: OutageSignal;
  /** The regions in which it was last seen, those that went silent since included. */
  regions: Region[];
  /** The regions that are fine by fresh evidence. */
  healthy: Region[];
  severity: Severity;
  /** What a region says of it, for the timeline. */
  messageOf(region: Region): string | null;
}

/** What is to happen to the incident of a type. */
export type IncidentStep =
  | {
      kind: 'open';
      regions: Region[];
      severity: Severity;
      earlierIncidentId: string | null;
      events: IncidentEventInput[];
    }
  | {
      kind: 'update' | 'relapse';
      incidentId: string;
      regions: Region[];
      severity: Severity;
      events: IncidentEventInput[];
    }
  | { kind: 'recover'; incidentId: string; autoClose: boolean; events: IncidentEventInput[] };

export interface TrackDecision {
  memory: TrackMemory;
  step: IncidentStep | null;
  /** When to decide again although nothing happens; null: no need. */
  decideAtMs: number | null;
}

/**
 * One incident type's way from trouble to incident and back: one open incident at a time; one that a
 * person closed is not followed by another before the trouble has ended once; flapping keeps one open.
 */
export function decideIncidentTrack(
  before: TrackMemory,
  trouble: Trouble,
  newest: CurrentIncident | null,
  { autoClose, nowMs }: { autoClose: boolean; nowMs: number },
): TrackDecision {
  const open = newest && !newest.isClosed ? newest : null;
  const began = trouble.signal === 'failing' && before.sinceMs === undefined;
  const ended = trouble.signal === 'fine' && before.sinceMs !== undefined;
  const flipsMs = (before.flipsMs ?? []).filter((atMs) => atMs > nowMs - FLAP_WINDOW_MS);
  if (began || ended) flipsMs.push(nowMs);
  const flapping = flipsMs.length > (before.flapping ? FLAP_CALM : FLAP_LIMIT);

  const memory: TrackMemory = { ...before };
  if (began) memory.sinceMs = nowMs;
  if (ended) delete memory.sinceMs;
  delete memory.flipsMs;
  if (flipsMs.length > 0) memory.flipsMs = flipsMs.slice(-FLAPS_KEPT);
  delete memory.flapping;
  if (flapping) memory.flapping = true;
  const decideAtMs = flapping ? flipsMs.at(-FLAP_CALM - 1)! + FLAP_WINDOW_MS : null;

  const told = open ? (before.told?.regions ?? []) : [];
  const events = regionEvents(told, trouble, nowMs);
  if (flapping && !before.flapping) events.push(flappingEvent(nowMs));
  const { regions, severity } = trouble;
  const done = (step: IncidentStep | null): TrackDecision => {
    if (step?.kind === 'recover' || (!step && !open)) delete memory.told;
    else if (step) memory.told = { regions, severity: step.severity };
    return { memory, step, decideAtMs };
  };

  if (began && !open) {
    const closed = before.autoClosed;
    const earlierIncidentId = closed && nowMs - closed.atMs <= RELAPSE_MS ? closed.incidentId : null;
    return done({ kind: 'open', regions, severity, earlierIncidentId, events });
  }
  if (!open) return done(null);
  if (began && open.endedMs !== null) return done({ kind: 'relapse', incidentId: open.id, regions, severity, events });
  // It has recovered and waits for a person: nothing more happens to it unless it fails again.
  if (open.endedMs !== null) return done(null);
  if (memory.sinceMs === undefined && !flapping && trouble.signal === 'fine') {
    if (autoClose) memory.autoClosed = { incidentId: open.id, atMs: nowMs };
    return done({ kind: 'recover', incidentId: open.id, autoClose, events });
  }
  // How bad it is follows from fresh evidence only: a healthy region that goes silent makes nothing worse.
  const shown = trouble.signal === 'failing' ? severity : (before.told?.severity ?? severity);
  if (!began && events.length === 0 && shown === before.told?.severity) return done(null);
  return done({ kind: 'update', incidentId: open.id, regions, severity: shown, events });
}

function regionEvents(told: readonly Region[], trouble: Trouble, nowMs: number): IncidentEventInput[] {
  const event = (type: 'region_failed' | 'region_recovered', region: Region): IncidentEventInput => {
    const message = type === 'region_failed' ? trouble.messageOf(region) : null;
    return { type, atMs: nowMs, detail: message === null ? { region } : { region, message } };
  };
  return [
    ...trouble.regions.filter((region) => !told.includes(region)).map((region) => event('region_failed', region)),
    ...told
      .filter((region) => trouble.healthy.includes(region) && !trouble.regions.includes(region))
      .map((region) => event('region_recovered', region)),
  ];
}

function flappingEvent(nowMs: number): IncidentEventInput {
  return {
    type: 'status_changed',
    atMs: nowMs,
    detail: {
      status: 'Ongoing',
      flapping: true,
      reason: `flapping: it went down and up more than ${FLAP_LIMIT} times within an hour, so this incident stays open until that stops`,
    },
  };
}
