import { typeOfKind } from '@watchpost/shared/check';
import { factsOf } from '@watchpost/shared/monitor-types';
import { FairShare, type HeldSlot } from '@watchpost/shared/fair-share';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { addSecondOpinion } from '../../incidents/index.js';
import { decideSecondOpinions, FULL_BUDGET, type OpinionBudget } from './decide-second-opinions.js';
import type { VerdictMetrics } from '../series/verdict-metrics.js';
import { secondOpinionStore, type FirstFailure, type OwnedFailure } from './second-opinion-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/** The result of a confirming run and its region, or why there was none. Never rejects for lack of agents. */
export type OpinionAnswer = { region: Region; result: CheckResult } | { refusal: string };

export interface SecondOpinionsDeps {
  db: Database;
  clock: Clock;
  logger?: Logger;
  verdictMetrics: VerdictMetrics;
  /** The agents that can repeat a check. */
  agents: {
    ask(failure: FirstFailure & { agentId: string }, avoid: ReadonlySet<Region>): Promise<OpinionAnswer>;
  };
}

/** Runs at the same time, of all owners, who share them fairly. */
const MOST_RUNNING = 30;

/**
 * Requests a confirming run from another region or agent at the first failure of a monitor in a region: as evidence, and
 * to distinguish an outage from a blind region. The number of runs is limited, and no result waits for them.
 */
export class SecondOpinions {
  private budget: OpinionBudget = FULL_BUDGET;
  private readonly running = new FairShare(MOST_RUNNING);
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly deps: SecondOpinionsDeps) {}

  /** Considers the failures of a committed batch. Returns at once. */
  consider(agent: { agentId: string; region: Region }, results: readonly CheckResult[]): void {
    const failures = results.flatMap(({ outcome, key, scheduledAtMs }): FirstFailure[] =>
      outcome.kind === 'down' ? [{ ...key, region: agent.region, sinceMs: scheduledAtMs }] : [],
    );
    if (failures.length === 0) return;
    const considered = this.confirm(agent.agentId, failures).catch((error: unknown) =>
      this.deps.logger?.warn({ err: error }, 'a second opinion failed'),
    );
    this.pending.add(considered);
    void considered.finally(() => this.pending.delete(considered));
  }

  /** Resolves when all requested runs have been answered. */
  async idle(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async confirm(agentId: string, failures: readonly FirstFailure[]): Promise<void> {
    const { db, clock, verdictMetrics } = this.deps;
    // The series contain which failures are the first of their streak, and their owners.
    const firsts = await db.transaction((tx) => secondOpinionStore.firsts(tx, failures, new Date(clock.now())), {
      startsWithWork: true,
      byIndex: true,
    });
    const taken = new Map<string, { failure: FirstFailure; slot: HeldSlot }>();
    for (const failure of this.choose(firsts.filter(({ isRepeatable }) => isRepeatable))) {
      const { owner: ownerKey } = failure;
      if (this.running.refusal({ ownerKey }) === null)
        taken.set(nameOf(failure), { failure, slot: this.running.take({ ownerKey }) });
    }
    const skipped = firsts.length - taken.size;
    if (skipped > 0) verdictMetrics.opinions.inc({ outcome: 'skipped' }, skipped);
    if (taken.size === 0) return;
    // Each at its own end: a silent site must not hold the slots of others that were asked for with it.
    const giveBack = (name: string): void => {
      this.running.giveBack(taken.get(name)!.slot);
      taken.delete(name);
    };
    try {
      const wanted = [...taken.values()].map(({ failure }) => failure);
      const claimed = await db.transaction((tx) =>
        secondOpinionStore.claim(keptStatements(tx), wanted, new Date(clock.now())),
      );
      const periods = await db.read((tx) => suspectPeriodStore.open(tx));
      const suspects = new Set(periods.map(({ region }) => region));
      const asked = new Set(claimed.map(nameOf));
      for (const name of [...taken.keys()]) if (!asked.has(name)) giveBack(name);
      await Promise.all(
        claimed.map((failure) => this.ask({ ...failure, agentId }, suspects).finally(() => giveBack(nameOf(failure)))),
      );
    } finally {
      for (const name of [...taken.keys()]) giveBack(name);
    }
  }

  private choose(firsts: readonly OwnedFailure[]): OwnedFailure[] {
    const owners = firsts.map(({ owner }) => owner);
    const { allowed, budget } = decideSecondOpinions(this.budget, owners, this.deps.clock.now());
    this.budget = budget;
    return allowed.map((index) => firsts[index]!);
  }

  private async ask(failure: FirstFailure & { agentId: string }, suspects: ReadonlySet<Region>): Promise<void> {
    const { db, clock, verdictMetrics, agents } = this.deps;
    const answer = await agents.ask(failure, suspects);
    verdictMetrics.opinions.inc({ outcome: 'result' in answer ? answer.result.outcome.kind : 'nobody' });
    await db.transaction(async (connection) => {
      const tx = keptStatements(connection);
      await secondOpinionStore.answer(tx, failure, answer, new Date(clock.now()));
      for (const { monitorKey, kind, ...opinion } of await secondOpinionStore.about(tx, [failure]))
        await addSecondOpinion(tx, monitorKey, factsOf(typeOfKind(kind)).incidentType, opinion);
    });
  }
}

function nameOf({ monitorKey, kind, region, sinceMs }: FirstFailure): string {
  return `${monitorKey} ${kind} ${region} ${sinceMs}`;
}
