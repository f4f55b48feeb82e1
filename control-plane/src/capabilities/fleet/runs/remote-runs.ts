import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { RemoteCalls } from '../../../platform/coordination/remote-calls.js';
import type { Database } from '../../../platform/db/database.js';
import { processesWithAgents } from '../members/lease-store.js';
import type { OnDemandRuns, RunRequest } from './on-demand-runs.js';

export interface RemoteRunsOptions {
  db: Database;
  clock: Clock;
  processId: string;
  /** null in a process that is alone. */
  calls: RemoteCalls | null;
  /** Those on agents of this process. */
  runs: OnDemandRuns;
  leaseMs: number;
}

/** A process of the former version does not name the purpose. */
type Question = Omit<RunRequest, 'purpose'> & Partial<Pick<RunRequest, 'purpose'>>;
type Answer = { result: CheckResult } | { refusal: string; isOwnShare?: boolean };

const CALL = 'run-now';
/** The answer's way back. */
const TRANSIT_MS = 250;
const MAX_PROCESSES = 3;

/** Runs on demand wherever an agent's stream ends: here where one is connected, else through the process that has one. */
export class RemoteRuns {
  constructor(private readonly options: RemoteRunsOptions) {
    options.calls?.serve(CALL, (question) => this.answer(question as Question));
  }

  /**
   * @throws Fault `unavailable` where no agent of the region can run it, or none answers within `timeoutMs`;
   * `rate_limited` where the owner of the check has its whole share running
   */
  async run(request: RunRequest): Promise<CheckResult> {
    const { region, check, timeoutMs, except } = request;
    const { calls, runs, clock } = this.options;
    const deadlineMs = clock.now() + timeoutMs;
    if (!calls) return await runs.run(request);
    let why: Fault | undefined;
    if (runs.hasAgent(region, check.key.kind, except)) {
      try {
        return await runs.run(request);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'unavailable') throw error;
        why = error;
      }
    }
    if (!calls.reachable) {
      throw (
        why ??
        unavailable(
          `Redis is away and no agent of ${region} that can run this is connected to the process that was asked.`,
        )
      );
    }
    for (const processId of await this.others(region, check.key.kind)) {
      const leftMs = deadlineMs - clock.now();
      if (leftMs <= TRANSIT_MS) break;
      const question: Question = { ...request, timeoutMs: leftMs - TRANSIT_MS };
      const answer = await calls.call(processId, CALL, question, leftMs);
      if (answer.kind === 'late') throw unavailable(`No agent of ${region} answered within ${timeoutMs} ms.`);
      if (answer.kind === 'unreachable') continue;
      const value = answer.value as Answer;
      if ('result' in value) return value.result;
      if (value.isOwnShare) throw new Fault('rate_limited', value.refusal, [], 2);
      why = unavailable(value.refusal);
    }
    throw why ?? unavailable(`No agent of ${region} that can run this is connected. Try again in a moment.`);
  }

  private async others(region: Region, kind: CheckKind): Promise<string[]> {
    const { db, processId, leaseMs } = this.options;
    const ids = await db.read((tx) => processesWithAgents(tx, { region, kind, leaseMs }));
    return ids.filter((id) => id !== processId).slice(0, MAX_PROCESSES);
  }

  private async answer(question: Question): Promise<Answer> {
    try {
      return { result: await this.options.runs.run({ purpose: 'test', ...question }) };
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') return { refusal: error.message };
      if (error instanceof Fault && error.code === 'rate_limited') return { refusal: error.message, isOwnShare: true };
      throw error;
    }
  }
}

function unavailable(message: string): Fault {
  return new Fault('unavailable', message, [], 5);
}
