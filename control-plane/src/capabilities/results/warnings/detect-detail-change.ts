import type { CheckKind } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { answerOf, isGoodAnswer, type CheckAnswer } from './check-answer.js';
import { decideDnsChanges } from './decide-dns-changes.js';
import type { DnsChange } from './dns-schemas.js';

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

/** Where the SSL or DNS checks of a monitor stand in one region. */
export interface LastAnswer {
  target: string;
  /** When the latest check that said anything was due. */
  checkedAtMs: number;
  startedAtMs: number;
  /** Why it failed; null where it was fine. */
  message: string | null;
  /** When the latest check with a good answer was due; null before the first. */
  answeredAtMs: number | null;
  hash: string | null;
  /** null too where it was not read, because what comes in has the same hash. */
  answer: CheckAnswer | null;
}

/** What is looked at now. */
export interface AnswerSubject {
  target: string;
  isChecked: boolean;
  /** Results due before this say nothing about what is looked at now. */
  changedMs: number;
}

/** One check that saw something. */
export interface KeptDetail {
  result: CheckResult;
  hash: string;
  content: CheckAnswer;
  /** null where nothing is different, or there is nothing to hold it against. */
  changes: DnsChange[] | null;
  /** The same content was kept for this monitor on the same day already. */
  isStored: boolean;
}

export interface Answer {
  hash: string;
  content: CheckAnswer;
}
export type Answers = ReadonlyMap<CheckResult, Answer>;

/** What those of the results saw that saw something. */
export function answersOf(results: readonly CheckResult[]): Map<CheckResult, Answer> {
  return new Map(results.flatMap((result) => (result.detail ? [[result, answerOf(result.detail)] as const] : [])));
}

export interface DetailChange {
  /** null where nothing was heard that counts. */
  seen: LastAnswer | null;
  details: KeptDetail[];
  /** The results that are current: only these are news. */
  current: CheckResult[];
}

/**
 * What the results of one series make of what was known of it, those in the order in which they were due.
 * Late ones are history: they are kept, and held against nothing; the next that is on time shows what
 * is different since.
 */
export function detectDetailChange(
  before: LastAnswer | null,
  results: readonly CheckResult[],
  { target, isChecked, changedMs }: AnswerSubject,
  nowMs: number,
  answers: Answers = answersOf(results),
): DetailChange {
  let seen = before?.target === target ? before : null;
  const decision: DetailChange = { seen: null, details: [], current: [] };
  for (const result of results) {
    const isCurrent =
      isChecked &&
      result.scheduledAtMs >= changedMs &&
      result.scheduledAtMs + result.freshMs > nowMs &&
      (seen === null || result.scheduledAtMs > seen.checkedAtMs);
    const answered = answers.get(result);
    const kept = answered ? keptOf(result, answered, seen) : null;
    const isGood = isGoodAnswer(result);
    if (kept) decision.details.push(kept);
    if (!isCurrent) continue;
    if (kept && isGood && kept.hash !== seen?.hash) kept.changes = changesOf(seen?.answer ?? null, kept.content);
    const answer =
      kept && isGood ? { answeredAtMs: result.scheduledAtMs, hash: kept.hash, answer: kept.content } : lastAnswer(seen);
    seen = {
      target,
      checkedAtMs: result.scheduledAtMs,
      startedAtMs: result.startedAtMs,
      message: result.outcome.kind === 'up' ? null : result.outcome.message,
      ...answer,
    };
    decision.seen = seen;
    decision.current.push(result);
  }
  return decision;
}

function keptOf(result: CheckResult, answer: Answer, seen: LastAnswer | null): KeptDetail {
  const isStored =
    seen !== null &&
    seen.answeredAtMs !== null &&
    seen.hash === answer.hash &&
    dayOf(seen.answeredAtMs) === dayOf(result.scheduledAtMs);
  return { result, ...answer, changes: null, isStored };
}

function lastAnswer(seen: LastAnswer | null): Pick<LastAnswer, 'answeredAtMs' | 'hash' | 'answer'> {
  return { answeredAtMs: seen?.answeredAtMs ?? null, hash: seen?.hash ?? null, answer: seen?.answer ?? null };
}

function changesOf(before: CheckAnswer | null, after: CheckAnswer): DnsChange[] | null {
  if (before?.kind !== 'dns' || after.kind !== 'dns') return null;
  const changes = decideDnsChanges(before.records, after.records);
  return changes.length === 0 ? null : changes;
}

/** The kinds of check that see more than whether and how fast. */
export const DETAILED_KINDS: ReadonlySet<CheckKind> = new Set(['ssl', 'dns']);
