import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { type Place, placeText } from '@watchpost/shared/region';
import type { RemoteCalls } from '../../../platform/coordination/remote-calls.js';
import type { Database } from '../../../platform/db/database.js';
import { processesWithAgents } from '../members/lease-store.js';
import type { OnDemandRuns, RunRequest } from './on-demand-runs.js';

export interface RemoteRunsOptions {
  db: Database;
  clock: Clock;
  processId: string;
  /** null without other processes. */
  calls: RemoteCalls | null;
  /** The runs on agents of this process. */
  runs: OnDemandRuns;
  leaseMs: number;
}

/** A process of the former version does not name the purpose. */
type RemoteRequest = Omit<RunRequest, 'purpose'> & Partial<Pick<RunRequest, 'purpose'>>;
type RemoteAnswer = { result: CheckResult } | { refusal: string; isOwnShare?: boolean };

const CALL = 'run-now';
/** Reserved for the way back of the answer, ms. */
const TRANSIT_MS = 250;
const MAX_PROCESSES = 3;

/** Runs checks on demand on an agent of this process if one is connected, and through another process otherwise. */
export class RemoteRuns {
  constructor(private readonly options: RemoteRunsOptions) {
    options.calls?.serve(CALL, (request) => this.answer(request as RemoteRequest));
  }

  /**
   * @throws Fault `unavailable` if no agent of the region can run the check, or none answers within `timeoutMs`;
   * `rate_limited` if the owner of the check already uses its whole share
   */
  async run(request: RunRequest): Promise<CheckResult> {
    const { region, check, timeoutMs, except } = request;
    const { calls, runs, clock } = this.options;
    const deadlineMs = clock.now() + timeoutMs;
    if (!calls) return await runs.run(request);
    let fault: Fault | undefined;
    if (runs.hasAgent(region, check.key.kind, except)) {
      try {
        return await runs.run(request);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'unavailable') throw error;
        fault = error;
      }
    }
    if (!calls.reachable) {
      throw (
        fault ??
        unavailable(`Redis is not reachable, and no agent of ${region} that can run this is connected to this process.`)
      );
    }
    for (const processId of await this.others(region, check.key.kind)) {
      const leftMs = deadlineMs - clock.now();
      if (leftMs <= TRANSIT_MS) break;
      const remoteRequest: RemoteRequest = { ...request, timeoutMs: leftMs - TRANSIT_MS };
      const answer = await calls.call(processId, CALL, remoteRequest, leftMs);
      if (answer.kind === 'late')
        throw unavailable(`No agent of ${placeText(region)} answered within ${timeoutMs} ms.`);
      if (answer.kind === 'unreachable') continue;
      const value = answer.value as RemoteAnswer;
      if ('result' in value) return value.result;
      if (value.isOwnShare) throw new Fault('rate_limited', value.refusal, [], 2);
      fault = unavailable(value.refusal);
    }
    throw (
      fault ?? unavailable(`No agent of ${placeText(region)} that can run this is connected. Try again in a moment.`)
    );
  }

  private async others(region: Place, kind: CheckKind): Promise<string[]> {
    const { db, processId, leaseMs } = this.options;
    const ids = await db.read((tx) => processesWithAgents(tx, { region, kind, leaseMs }));
    return ids.filter((id) => id !== processId).slice(0, MAX_PROCESSES);
  }

  private async answer(request: RemoteRequest): Promise<RemoteAnswer> {
    try {
      return { result: await this.options.runs.run({ purpose: 'test', ...request }) };
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
