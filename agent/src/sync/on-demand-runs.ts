import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { RunPurpose, type RunNow, type RunResult } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { FairShare } from '@watchpost/shared/fair-share';
import type { CheckResult } from '@watchpost/shared/outcome';
import { toWireResult } from '../report/result-codec.js';
import { fromWireSpec } from './check-codec.js';

export interface OnDemandOptions {
  clock: Clock;
  run(spec: CheckSpec, scheduledAtMs: number, deadline: AbortSignal): Promise<CheckResult>;
  onRun(outcome: string): void;
}

const MAX_RUNNING = 64;
/** Of these, kept for second opinions. */
const KEPT_FOR_SECOND_OPINIONS = 16;
const MAX_WAIT_MS = 300_000;

/** One-off tests and second opinions: run at once beside the schedule, shared between owners, answered on the same stream, counted nowhere else. */
export class OnDemandRuns {
  private readonly share = new FairShare(MAX_RUNNING);

  constructor(private readonly options: OnDemandOptions) {}

  /** Never rejects: what is not run is refused with the reason. */
  async run({ requestId, check, deadlineMs, purpose }: RunNow): Promise<RunResult> {
    const spec = check && fromWireSpec(check);
    const now = this.options.clock.now();
    const leftMs = Number(deadlineMs) - now;
    if (!spec) return this.refuse(requestId, 'this version of the agent cannot run such a check');
    if (leftMs <= 0) return this.refuse(requestId, 'the request came after its deadline');
    const reserve = purpose === RunPurpose.RUN_PURPOSE_SECOND_OPINION ? 0 : KEPT_FOR_SECOND_OPINIONS;
    const refusal = this.share.refusal(spec, reserve);
    if (refusal === 'full') return this.refuse(requestId, 'the agent is busy with other requests');
    if (refusal !== null)
      return this.refuse(requestId, 'the owner of the check has its whole share of the agent running');
    const slot = this.share.take(spec);
    try {
      const deadline = AbortSignal.timeout(Math.min(MAX_WAIT_MS, Math.ceil(leftMs)));
      const result = await this.options.run(spec, Math.floor(now), deadline);
      if (deadline.aborted) return this.refuse(requestId, 'the check was not done by the deadline of the request');
      this.options.onRun(result.outcome.kind);
      return { requestId, result: toWireResult(result), refusal: '' };
    } finally {
      this.share.giveBack(slot);
    }
  }

  private refuse(requestId: string, refusal: string): RunResult {
    this.options.onRun('refused');
    return { requestId, refusal };
  }
}
