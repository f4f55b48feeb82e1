import { parseDuration } from '@watchpost/shared/duration';
import type { AlertEvent } from '../../channels/index.js';
import type { GroupRules } from '../../group-settings/index.js';
import { hoursBeginAt } from './decide-hours.js';

/** An event for a group, and what the group knows of its incident. */
export interface Notice {
  type: AlertEvent['type'];
  atMs: number;
  /** Of the incident at that time. */
  severity: GroupRules['severities'][number];
  isOfIncident: boolean;
  isAcknowledged: boolean;
  /** Whether it is the recovery or the end of the incident. */
  isEnd: boolean;
  /** Whether it concerns programs only. */
  isMinor: boolean;
  /** Whether it only states that the incident goes on. */
  isReminder: boolean;
  /** Whether the group was notified of the incident before. */
  isHeard: boolean;
  /** Whether the event was made for the group because its delay, or the time outside its hours, is over. */
  hasWaited: boolean;
}

/**
 * `first`: the incident is sent when it is due, as it is then. `held`: the event is sent when it is due, unless a later one of
 * its incident takes its place.
 */
export type NoticeDecision =
  | { kind: 'send'; repeatMs: number | null }
  | { kind: 'skip' }
  | { kind: 'drop' }
  | { kind: 'wait'; reason: 'first' | 'held'; dueMs: number };

/** A duration of the rules in ms. */
const ruleMs = (text: string): number => parseDuration(text)!;

const SKIP = { kind: 'skip' } as const;

/** Decides whether an event is sent to a group now, later, or not. */
export function decideNotice(rules: GroupRules, notice: Notice, nowMs: number): NoticeDecision {
  const { type, isOfIncident, isEnd, hasWaited } = notice;
  if (!isEnd && !rules.severities.includes(notice.severity)) return SKIP;
  const isFirst = isOfIncident && !notice.isHeard;
  if (isFirst && (isEnd || notice.isMinor || notice.isReminder)) return SKIP;
  if (isFirst && type !== 'incident.opened' && type !== 'incident.updated') return SKIP;
  const delayMs = ruleMs(rules.delay);
  // An incident that became one of the group's is sent as one that opens.
  if (isFirst && !hasWaited && (delayMs > 0 || type !== 'incident.opened'))
    return { kind: 'wait', reason: 'first', dueMs: notice.atMs + delayMs };
  const beginMs = hoursBeginAt(rules.hours, nowMs);
  if (beginMs !== null)
    return rules.hours?.outside === 'drop'
      ? { kind: 'drop' }
      : { kind: 'wait', reason: isFirst ? 'first' : 'held', dueMs: beginMs };
  const repeats =
    rules.repeatEvery !== null &&
    !isEnd &&
    !notice.isMinor &&
    !notice.isAcknowledged &&
    (type === 'incident.opened' || type === 'incident.updated');
  return { kind: 'send', repeatMs: repeats ? nowMs + ruleMs(rules.repeatEvery!) : null };
}

/** A group and an incident that it waits for, when the wait is over. */
export interface DueWait {
  reason: 'first' | 'held' | 'repeat';
  isOpen: boolean;
  isAcknowledged: boolean;
}

/**
 * Decides what becomes of a wait that is over. `notify`: an event is made for the group, which is decided on as any other.
 * @returns `againMs`: when the group is looked at again, ms since the epoch; null: never
 */
export function decideDueWait(
  rules: GroupRules,
  { reason, isOpen, isAcknowledged }: DueWait,
  nowMs: number,
): { notify: boolean; againMs: number | null } {
  if (reason === 'held') return { notify: true, againMs: null };
  if (!isOpen) return { notify: false, againMs: null };
  if (reason === 'first') return { notify: !isAcknowledged || ruleMs(rules.delay) === 0, againMs: null };
  if (isAcknowledged || rules.repeatEvery === null) return { notify: false, againMs: null };
  const againMs = nowMs + ruleMs(rules.repeatEvery);
  const beginMs = hoursBeginAt(rules.hours, nowMs);
  if (beginMs === null) return { notify: true, againMs };
  return { notify: false, againMs: rules.hours?.outside === 'hold' ? beginMs : againMs };
}
