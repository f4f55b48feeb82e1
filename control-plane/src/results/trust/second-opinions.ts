import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../../db/database.js';
import { addSecondOpinion, type IncidentType } from '../../incidents/index.js';
import { decideSecondOpinions, FULL_BUDGET, type OpinionBudget } from './decide-second-opinions.js';
import type { ResultsMetrics } from '../results-metrics.js';
import { secondOpinionStore, type FirstFailure } from './second-opinion-store.js';
import { suspectsStore } from './suspects-store.js';

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

/** Runs that are waited for at the same time, and failures of one batch that are looked at. */
const MOST_RUNNING = 30;
const MOST_OF_A_BATCH = 100;

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
  private running = 0;
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
    // Which of them are the first of their streak only the database knows; a storm is not looked at any closer.
    const some = failures.slice(0, MOST_OF_A_BATCH);
    const firsts = await db.read((tx) => secondOpinionStore.firsts(tx, some, new Date(clock.now())));
    if (firsts.length === 0) return;
    const room = Math.min(firsts.length, MOST_RUNNING - this.running);
    const { allowed, budget } = decideSecondOpinions(this.budget, Math.max(0, room), clock.now());
    this.budget = budget;
    const skipped = firsts.length - allowed + failures.length - some.length;
    if (skipped > 0) metrics.opinions.inc({ outcome: 'skipped' }, skipped);
    if (allowed === 0) return;
    this.running += allowed;
    try {
      const claimed = await db.transaction((tx) =>
        secondOpinionStore.claim(tx, firsts.slice(0, allowed), new Date(clock.now())),
      );
      const suspicions = await db.read((tx) => suspectsStore.open(tx));
      const suspects = new Set(suspicions.map(({ region }) => region));
      await Promise.all(claimed.map((failure) => this.ask({ ...failure, agentId }, suspects)));
    } finally {
      this.running -= allowed;
    }
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
