import type { TimelineEvent } from '../../timeline/index.js';
import type { Region } from '@watchpost/shared/region';
import type { Severity } from '@watchpost/shared/incident-types';
import type { CurrentIncident } from '../../incidents/index.js';
import type { OutageSignal } from './decide-outage.js';

/** Flips between trouble and no trouble within this long are counted. */
const FLAP_WINDOW_MS = 3_600_000;
/** More flips than this in the window is flapping … */
const FLAP_LIMIT = 6;
/** … until there are no more than this. */
const FLAP_CALM = 3;
/** How many flips are remembered: enough to detect that flapping has ended. */
const FLAPS_KEPT = 16;
/** Trouble that returns within this time after an automatic close opens an incident that refers to the former one. */
const RELAPSE_MS = 300_000;

/** The state of one incident type between decisions; every part may be absent. */
export interface TrackMemory {
  /** When the present trouble began; absent: there is none. */
  sinceMs?: number;
  /** The regions and severity last reported to the open incident. */
  reported?: { regions: Region[]; severity: Severity };
  /** When trouble began or ended, over the last hour. */
  flipsMs?: number[];
  flapping?: boolean;
  autoClosed?: { incidentId: string; atMs: number };
  /** A maintenance window hides trouble, which is an incident if it is still there at the end. */
  hidden?: boolean;
}

/** Why trouble is not watched for any more, although it may go on. */
const UNWATCHED = {
  unwatched: 'The monitor no longer checks for it.',
  removed: 'The monitor is no longer judged by the regions where it failed.',
};

export interface Trouble {
  signal: OutageSignal | keyof typeof UNWATCHED;
  /** When the failures that make it began; null where it begins with the decision. */
  sinceMs: number | null;
  /** The regions in which it was last observed, including those that have become silent since. */
  regions: Region[];
  /** The regions that are healthy according to fresh results. */
  healthy: Region[];
  severity: Severity;
  messageOf(region: Region): string | null;
}

export type IncidentStep =
  | {
      kind: 'open';
      /** When the failures began that opened it, or the window or former incident ended in which they did. */
      startedMs: number;
      regions: Region[];
      severity: Severity;
      earlierIncidentId: string | null;
      events: TimelineEvent[];
    }
  | {
      kind: 'update' | 'relapse';
      incidentId: string;
      regions: Region[];
      severity: Severity;
      events: TimelineEvent[];
    }
  | { kind: 'recover'; incidentId: string; autoClose: boolean; events: TimelineEvent[] }
  | { kind: 'stop'; incidentId: string; closing: TimelineEvent & { detail: { reason: string } } };

export interface TrackDecision {
  memory: TrackMemory;
  step: IncidentStep | null;
  /** When to decide again even if nothing happens; null: never. */
  decideAtMs: number | null;
}

export interface TrackContext {
  autoClose: boolean;
  /** When the last maintenance window ends, or ended, that covers the monitor; null: none does or did lately. */
  coveredUntilMs: number | null;
  nowMs: number;
}

/**
 * Turns the trouble of one incident type into changes of its incident. There is one open incident at a time. After a person
 * has closed one, no other opens until the trouble has ended once. Flapping keeps an incident open. While a maintenance
 * window covers the monitor, no trouble begins; trouble from before it goes on and ends. Trouble that is no longer watched
 * for has not ended: its incident is closed without a recovery.
 */
export function decideIncidentTrack(
  before: TrackMemory,
  trouble: Trouble,
  newest: CurrentIncident | null,
  { autoClose, coveredUntilMs, nowMs }: TrackContext,
): TrackDecision {
  const open = newest && !newest.isClosed ? newest : null;
  if (trouble.signal === 'unwatched' || trouble.signal === 'removed')
    return { memory: {}, step: unwatchedStep(open, UNWATCHED[trouble.signal], nowMs), decideAtMs: null };
  const isNew = trouble.signal === 'failing' && before.sinceMs === undefined;
  const isHidden = isNew && coveredUntilMs !== null && nowMs < coveredUntilMs;
  const began = isNew && !isHidden;
  const beganMs = before.hidden ? coveredUntilMs : trouble.sinceMs;
  const startedMs = Math.min(nowMs, Math.max(beganMs ?? nowMs, coveredUntilMs ?? 0, newest?.endedMs ?? 0));
  const ended = trouble.signal === 'fine' && before.sinceMs !== undefined;
  const flipsMs = (before.flipsMs ?? []).filter((atMs) => atMs > nowMs - FLAP_WINDOW_MS);
  if (began || ended) flipsMs.push(nowMs);
  const flapping = flipsMs.length > (before.flapping ? FLAP_CALM : FLAP_LIMIT);

  const memory: TrackMemory = { ...before };
  if (began) memory.sinceMs = startedMs;
  if (ended) delete memory.sinceMs;
  if (isHidden) memory.hidden = true;
  else if (trouble.signal !== 'unclear') delete memory.hidden;
  delete memory.flipsMs;
  if (flipsMs.length > 0) memory.flipsMs = flipsMs.slice(-FLAPS_KEPT);
  delete memory.flapping;
  if (flapping) memory.flapping = true;
  const calmAtMs = flapping ? flipsMs.at(-FLAP_CALM - 1)! + FLAP_WINDOW_MS : null;
  const decideAtMs = isHidden ? Math.min(coveredUntilMs, calmAtMs ?? Infinity) : calmAtMs;

  const reported = open ? (before.reported?.regions ?? []) : [];
  const events = regionEvents(reported, trouble, nowMs);
  if (flapping && !before.flapping) events.push(flappingEvent(nowMs));
  const { regions, severity } = trouble;
  const done = (step: Exclude<IncidentStep, { kind: 'stop' }> | null): TrackDecision => {
    if (step?.kind === 'recover' || (!step && !open)) delete memory.reported;
    else if (step) memory.reported = { regions, severity: step.severity };
    return { memory, step, decideAtMs };
  };

  if (began && !open) {
    const closed = before.autoClosed;
    const earlierIncidentId = closed && nowMs - closed.atMs <= RELAPSE_MS ? closed.incidentId : null;
    return done({ kind: 'open', startedMs, regions, severity, earlierIncidentId, events });
  }
  if (!open) return done(null);
  if (began && open.endedMs !== null) return done({ kind: 'relapse', incidentId: open.id, regions, severity, events });
  // It has recovered and waits for a person: it changes only if the trouble returns.
  if (open.endedMs !== null) return done(null);
  if (memory.sinceMs === undefined && !flapping && trouble.signal === 'fine') {
    if (autoClose) memory.autoClosed = { incidentId: open.id, atMs: nowMs };
    return done({ kind: 'recover', incidentId: open.id, autoClose, events });
  }
  // The severity follows from fresh results only: a healthy region that becomes silent does not raise it, and one that answers lowers it.
  const isLower = trouble.healthy.length > 0 && severity === 'partial';
  const shown = trouble.signal === 'failing' || isLower ? severity : (before.reported?.severity ?? severity);
  if (!began && events.length === 0 && shown === before.reported?.severity) return done(null);
  return done({ kind: 'update', incidentId: open.id, regions, severity: shown, events });
}

/** One that has recovered waits for a person, as before. */
function unwatchedStep(open: CurrentIncident | null, reason: string, nowMs: number): IncidentStep | null {
  if (open === null || open.endedMs !== null) return null;
  const detail = { automatic: true, reason };
  return { kind: 'stop', incidentId: open.id, closing: { type: 'closed', atMs: nowMs, detail } };
}

function regionEvents(reported: readonly Region[], trouble: Trouble, nowMs: number): TimelineEvent[] {
  const event = (type: 'region_failed' | 'region_recovered', region: Region): TimelineEvent => {
    const message = type === 'region_failed' ? trouble.messageOf(region) : null;
    return { type, atMs: nowMs, detail: message === null ? { region } : { region, message } };
  };
  return [
    ...trouble.regions.filter((region) => !reported.includes(region)).map((region) => event('region_failed', region)),
    ...reported
      .filter((region) => trouble.healthy.includes(region) && !trouble.regions.includes(region))
      .map((region) => event('region_recovered', region)),
  ];
}

function flappingEvent(nowMs: number): TimelineEvent {
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
