import type { CheckResult } from '@watchpost/shared/outcome';
import { answerOf, isGoodAnswer, type CheckAnswer } from './check-answer.js';
import { decideSeenValues, type SeenValues } from './decide-seen-values.js';
import type { DnsChange } from './dns-schemas.js';

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

/** The latest SSL or DNS check of a series, and its latest good answer. */
export interface LastAnswer {
  target: string;
  /** Scheduled time of the latest conclusive check. */
  checkedAtMs: number;
  startedAtMs: number;
  /** Why it failed; null where it succeeded. */
  message: string | null;
  /** Scheduled time of the latest check with a good answer; null before the first. */
  answeredAtMs: number | null;
  hash: string | null;
  /** Null before the first, and where it was not read because the new answer has the same hash. */
  answer: CheckAnswer | null;
  /** What is known of a name beside that answer; null if nothing is. */
  seen: SeenValues | null;
}

/** What is checked now. */
export interface AnswerSubject {
  target: string;
  isChecked: boolean;
  /** Results scheduled before this are about former settings. */
  changedMs: number;
}

/** A check that read something. */
export interface KeptDetail {
  result: CheckResult;
  hash: string;
  content: CheckAnswer;
  /** Null where nothing changed, or there is no earlier answer. */
  changes: DnsChange[] | null;
  /** The same content is stored for this monitor and day already. */
  isStored: boolean;
}

export interface Answer {
  hash: string;
  content: CheckAnswer;
}
export type Answers = ReadonlyMap<CheckResult, Answer>;

export function answersOf(results: readonly CheckResult[]): Map<CheckResult, Answer> {
  return new Map(results.flatMap((result) => (result.detail ? [[result, answerOf(result.detail)] as const] : [])));
}

export interface DetailChange {
  /** The new state; null where no result is current. */
  last: LastAnswer | null;
  details: KeptDetail[];
  /** The current results: only these may cause notices. */
  current: CheckResult[];
}

/**
 * Applies the results of one series, in scheduled order, to its last answer. Late results are history: they are stored and
 * not compared; the next one that arrives in time contains the changes since.
 */
export function detectDetailChange(
  before: LastAnswer | null,
  results: readonly CheckResult[],
  { target, isChecked, changedMs }: AnswerSubject,
  nowMs: number,
  answers: Answers = answersOf(results),
): DetailChange {
  let last = before?.target === target ? before : null;
  const decision: DetailChange = { last: null, details: [], current: [] };
  for (const result of results) {
    const isCurrent =
      isChecked &&
      result.scheduledAtMs >= changedMs &&
      result.scheduledAtMs + result.freshMs > nowMs &&
      (last === null || result.scheduledAtMs > last.checkedAtMs);
    const answered = answers.get(result);
    const kept = answered ? keptOf(result, answered, last) : null;
    const isGood = isGoodAnswer(result);
    if (kept) decision.details.push(kept);
    if (!isCurrent) continue;
    const seen = kept && isGood ? applyAnswer(last, kept) : null;
    const answer =
      kept && isGood
        ? { answeredAtMs: result.scheduledAtMs, hash: kept.hash, answer: kept.content, seen }
        : goodAnswerOf(last);
    last = {
      target,
      checkedAtMs: result.scheduledAtMs,
      startedAtMs: result.startedAtMs,
      message: result.outcome.kind === 'up' ? null : result.outcome.message,
      ...answer,
    };
    decision.last = last;
    decision.current.push(result);
  }
  return decision;
}

function keptOf(result: CheckResult, answer: Answer, last: LastAnswer | null): KeptDetail {
  const isStored =
    last !== null &&
    last.answeredAtMs !== null &&
    last.hash === answer.hash &&
    dayOf(last.answeredAtMs) === dayOf(result.scheduledAtMs);
  return { result, ...answer, changes: null, isStored };
}

function goodAnswerOf(last: LastAnswer | null): Pick<LastAnswer, 'answeredAtMs' | 'hash' | 'answer' | 'seen'> {
  const { answeredAtMs = null, hash = null, answer = null, seen = null } = last ?? {};
  return { answeredAtMs, hash, answer, seen };
}

/** Notes the changes that a good answer makes. @returns what is known of the name beside it */
function applyAnswer(last: LastAnswer | null, kept: KeptDetail): SeenValues | null {
  if (kept.content.kind !== 'dns' || !last || last.answeredAtMs === null) return null;
  const isSame = kept.hash === last.hash;
  if (isSame && last.seen === null) return null;
  const before = isSame ? kept.content : last.answer;
  if (before?.kind !== 'dns') return null;
  const { answeredAtMs: atMs, seen } = last;
  const decided = decideSeenValues({ records: before.records, atMs, seen }, kept.content, kept.result.scheduledAtMs);
  if (decided.changes.length > 0) kept.changes = decided.changes;
  return decided.seen;
}
