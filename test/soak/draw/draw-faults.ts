import { FAULT_KINDS, kindOf, type FaultKind, type Role } from './fault-kinds.js';
import { randomOf } from './random.js';

/** The names of what can be struck, by role. */
export type Subjects = Readonly<Record<Role, readonly string[]>>;

export interface PlannedFault {
  number: number;
  kind: FaultKind;
  role: Role;
  subject: string;
  /** From the start of its round, ms. */
  afterMs: number;
  lastsMs: number;
  amount: number;
}

/** One fault, or two that overlap, and the calm after the recovery. */
export interface Round {
  faults: PlannedFault[];
  calmMs: number;
}

export interface FaultRules {
  seed: number;
  subjects: Subjects;
  hasStandby: boolean;
  rounds: number;
  calmMs: readonly [least: number, most: number];
  /** The share of rounds with a second fault. */
  pairs: number;
  /** The longest fault of a kind, as a share of the longest that it can be. */
  longest: number;
  /** Only kinds that contain one of these words; empty: all. */
  only: readonly string[];
}

/** No more faults than this overlap. */
export const MOST_AT_ONCE = 2;

/**
 * Draws the faults of a run. Every kind comes once before any comes again, in an order of the seed, and the first rounds of
 * a longer run are those of a shorter one.
 */
export function drawRounds({ seed, subjects, hasStandby, rounds, calmMs, pairs, longest, only }: FaultRules): Round[] {
  const random = randomOf(seed, 'faults');
  const possible = (Object.keys(FAULT_KINDS) as FaultKind[]).filter((kind) => {
    const { role, needsStandby } = kindOf(kind);
    if (only.length > 0 && !only.some((word) => kind.includes(word))) return false;
    return subjects[role].length > 0 && (hasStandby || !needsStandby);
  });
  const freeFor = (kind: FaultKind, other: PlannedFault): string[] =>
    kind === other.kind
      ? []
      : subjects[kindOf(kind).role].filter((one) => kindOf(kind).role !== other.role || one !== other.subject);
  if (possible.length === 0) throw new Error(`there is no kind of fault with ${only.join(' or ')} in its name`);
  let deck: FaultKind[] = [];
  let number = 0;
  const draw = (startMs: number, besides?: PlannedFault): PlannedFault | undefined => {
    if (deck.length === 0) deck = random.shuffled(possible);
    const index = deck.findIndex((kind) => besides === undefined || freeFor(kind, besides).length > 0);
    if (index === -1) return undefined;
    const [kind] = deck.splice(index, 1) as [FaultKind];
    const { role, lastsMs, amount } = kindOf(kind);
    return {
      number: ++number,
      kind,
      role,
      subject: random.pick(besides ? freeFor(kind, besides) : subjects[role]),
      afterMs: startMs,
      lastsMs: random.between(lastsMs[0], lastsMs[0] + longest * (lastsMs[1] - lastsMs[0])),
      amount: amount ? random.between(...amount) : 0,
    };
  };
  return Array.from({ length: rounds }, () => {
    const first = draw(0)!;
    const second = random.chance(pairs) ? draw(random.between(0, first.lastsMs), first) : undefined;
    return { faults: second ? [first, second] : [first], calmMs: random.between(...calmMs) };
  });
}

export function describeFault({ number, kind, subject, afterMs, lastsMs, amount }: PlannedFault): string {
  const more = amount > 0 ? `, ${amount} ms` : '';
  return `#${number} ${kind}: ${subject}, after ${(afterMs / 1000).toFixed(1)} s for ${(lastsMs / 1000).toFixed(1)} s${more}`;
}
