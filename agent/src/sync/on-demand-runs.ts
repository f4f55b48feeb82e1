import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { RunNow, RunResult } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { CheckResult } from '@watchpost/shared/outcome';
import { toWireResult } from '../report/result-codec.js';
import { fromWireSpec } from './check-codec.js';

export interface OnDemandOptions {
  clock: Clock;
  run(spec: CheckSpec, scheduledAtMs: number, deadline: AbortSignal): Promise<CheckResult>;
  onRun(outcome: string): void;
}

const MAX_RUNNING = 32;
const MAX_WAIT_MS = 300_000;

/** One-off tests and second opinions: run at once beside the schedule, answered on the same stream, counted nowhere else. */
export class OnDemandRuns {
  private running = 0;

  constructor(private readonly options: OnDemandOptions) {}

  /** Never rejects: what is not run is refused with the reason. */
  async run({ requestId, check, deadlineMs }: RunNow): Promise<RunResult> {
    const spec = check && fromWireSpec(check);
    const now = this.options.clock.now();
    const leftMs = Number(deadlineMs) - now;
    if (!spec) return this.refuse(requestId, 'this version of the agent cannot run such a check');
    if (leftMs <= 0) return this.refuse(requestId, 'the request came after its deadline');
    if (this.running >= MAX_RUNNING)
      return this.refuse(requestId, `the agent is busy with ${MAX_RUNNING} other requests`);
    this.running++;
    try {
      const deadline = AbortSignal.timeout(Math.min(MAX_WAIT_MS, Math.ceil(leftMs)));
      const result = await this.options.run(spec, Math.floor(now), deadline);
      if (deadline.aborted) return this.refuse(requestId, 'the check was not done by the deadline of the request');
      this.options.onRun(result.outcome.kind);
      return { requestId, result: toWireResult(result), refusal: '' };
    } finally {
      this.running--;
    }
  }

  private refuse(requestId: string, refusal: string): RunResult {
    this.options.onRun('refused');
    return { requestId, refusal };
  }
}
