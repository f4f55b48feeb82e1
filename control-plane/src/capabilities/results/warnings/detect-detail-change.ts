import type { CheckKind } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { answerOf, isGoodAnswer, type CheckAnswer } from './check-answer.js';
import { decideDnsChanges } from './decide-dns-changes.js';
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

/** The answers of those results that read something. */
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
    if (kept && isGood && kept.hash !== last?.hash) kept.changes = changesOf(last?.answer ?? null, kept.content);
    const answer =
      kept && isGood
        ? { answeredAtMs: result.scheduledAtMs, hash: kept.hash, answer: kept.content }
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

function goodAnswerOf(last: LastAnswer | null): Pick<LastAnswer, 'answeredAtMs' | 'hash' | 'answer'> {
  return { answeredAtMs: last?.answeredAtMs ?? null, hash: last?.hash ?? null, answer: last?.answer ?? null };
}

function changesOf(before: CheckAnswer | null, after: CheckAnswer): DnsChange[] | null {
  if (before?.kind !== 'dns' || after.kind !== 'dns') return null;
  const changes = decideDnsChanges(before.records, after.records);
  return changes.length === 0 ? null : changes;
}

/** The kinds of check with details. */
export const DETAILED_KINDS: ReadonlySet<CheckKind> = new Set(['ssl', 'dns']);
