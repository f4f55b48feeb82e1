import type { CheckKind } from '@watchpost/shared/check';
import { FairShare, type HeldSlot } from '@watchpost/shared/fair-share';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import { addSecondOpinion, type IncidentType } from '../../incidents/index.js';
import { decideSecondOpinions, FULL_BUDGET, type OpinionBudget } from './decide-second-opinions.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { secondOpinionStore, type FirstFailure, type OwnedFailure } from './second-opinion-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/** What a confirming run said and where; or why there was none. Never rejects for want of agents. */
export type OpinionAnswer = { region: Region; result: CheckResult } | { refusal: string };

export type AskElsewhere = (
  failure: FirstFailure & { agentId: string },
  avoid: ReadonlySet<Region>,
) => Promise<OpinionAnswer>;

export interface SecondOpinionsOptions {
  db: Database;
  clock: Clock;
  metrics: ResultsMetrics;
  askElsewhere: AskElsewhere;
  /** Told of what went wrong here; nothing but evidence is lost by it. */
  onError(error: unknown): void;
}

/** Runs that are waited for at the same time, of all owners; one who has many leaves room for others. */
const MOST_RUNNING = 30;

const INCIDENT_TYPE: Record<CheckKind, IncidentType> = {
  http: 'Availability',
  tcpUdp: 'Availability',
  ssl: 'SslExpiry',
  dns: 'Dns',
};

/**
 * Asks somebody else at the first failure of a monitor in a region: evidence beside what failed, and what tells an
 * outage from a blind region. Bounded, and no result waits for it.
 */
export class SecondOpinions {
  private budget: OpinionBudget = FULL_BUDGET;
  private readonly running = new FairShare(MOST_RUNNING);
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly options: SecondOpinionsOptions) {}

  /** Looks at what an agent just reported, after it is committed. Returns at once. */
  consider(agent: { agentId: string; region: Region }, results: readonly CheckResult[]): void {
    const failures = results.flatMap(({ outcome, key, scheduledAtMs }): FirstFailure[] =>
      outcome.kind === 'down' ? [{ ...key, region: agent.region, sinceMs: scheduledAtMs }] : [],
    );
    if (failures.length === 0) return;
    const looked = this.look(agent.agentId, failures).catch(this.options.onError);
    this.pending.add(looked);
    void looked.finally(() => this.pending.delete(looked));
  }

  /** Resolves when all that was considered is answered. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async look(agentId: string, failures: readonly FirstFailure[]): Promise<void> {
    const { db, clock, metrics } = this.options;
    // Which of them are the first of their streak, and whose they are, only the database knows.
    const firsts = await db.read((tx) => secondOpinionStore.firsts(tx, failures, new Date(clock.now())));
    const held: HeldSlot[] = [];
    const taken = this.choose(firsts).filter(({ owner: ownerKey }) => {
      const isFree = this.running.refusal({ ownerKey }) === null;
      if (isFree) held.push(this.running.take({ ownerKey }));
      return isFree;
    });
    const skipped = firsts.length - taken.length;
    if (skipped > 0) metrics.opinions.inc({ outcome: 'skipped' }, skipped);
    if (taken.length === 0) return;
    try {
      const claimed = await db.transaction((tx) => secondOpinionStore.claim(tx, taken, new Date(clock.now())));
      const suspicions = await db.read((tx) => suspectPeriodStore.open(tx));
      const suspects = new Set(suspicions.map(({ region }) => region));
      await Promise.all(claimed.map((failure) => this.ask({ ...failure, agentId }, suspects)));
    } finally {
      for (const slot of held) this.running.giveBack(slot);
    }
  }

  private choose(firsts: readonly OwnedFailure[]): OwnedFailure[] {
    const owners = firsts.map(({ owner }) => owner);
    const { allowed, budget } = decideSecondOpinions(this.budget, owners, this.options.clock.now());
    this.budget = budget;
    return allowed.map((index) => firsts[index]!);
  }

  private async ask(failure: FirstFailure & { agentId: string }, suspects: ReadonlySet<Region>): Promise<void> {
    const { db, clock, metrics, askElsewhere } = this.options;
    const answer = await askElsewhere(failure, suspects);
    metrics.opinions.inc({ outcome: 'result' in answer ? answer.result.outcome.kind : 'nobody' });
    await db.transaction(async (tx) => {
      await secondOpinionStore.answer(tx, failure, answer, new Date(clock.now()));
      for (const { monitorKey, kind, ...opinion } of await secondOpinionStore.about(tx, [failure]))
        await addSecondOpinion(tx, monitorKey, INCIDENT_TYPE[kind], opinion);
    });
  }
}
