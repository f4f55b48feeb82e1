import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { FairShare } from '@watchpost/shared/fair-share';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { RunReport, RunRequest } from '@watchpost/shared/wire/messages';

export interface OnDemandOptions {
  clock: Clock;
  run(spec: CheckSpec, scheduledAtMs: number, deadline: AbortSignal): Promise<CheckResult>;
  onRun(outcome: string): void;
}

const MAX_RUNNING = 64;
/** Of these, reserved for second opinions. */
const RESERVED_FOR_SECOND_OPINIONS = 16;
const MAX_WAIT_MS = 300_000;

/**
 * One-off tests and second opinions: they start at once beside the schedule, share their capacity among owners, and are
 * answered on the same stream.
 */
export class OnDemandRuns {
  private readonly share = new FairShare(MAX_RUNNING);

  constructor(private readonly options: OnDemandOptions) {}

  /** Never rejects: a check that is not run is refused with the reason. */
  async run({ requestId, check, deadlineMs, purpose }: RunRequest): Promise<RunReport> {
    const now = this.options.clock.now();
    const leftMs = deadlineMs - now;
    if (!check || check.target.kind === 'unsupported')
      return this.refuse(requestId, 'this version of the agent cannot run such a check');
    if (leftMs <= 0) return this.refuse(requestId, 'the request came after its deadline');
    const reserve = purpose === 'secondOpinion' ? 0 : RESERVED_FOR_SECOND_OPINIONS;
    const refusal = this.share.refusal(check, reserve);
    if (refusal === 'full') return this.refuse(requestId, 'the agent is busy with other requests');
    if (refusal !== null)
      return this.refuse(requestId, 'the owner of the check uses its whole share of the agent already');
    const slot = this.share.take(check);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), Math.min(MAX_WAIT_MS, Math.ceil(leftMs))).unref();
    try {
      const result = await this.options.run({ ...check, isTest: purpose === 'test' }, Math.floor(now), deadline.signal);
      if (deadline.signal.aborted)
        return this.refuse(requestId, 'the check did not end before the deadline of the request');
      this.options.onRun(result.outcome.kind);
      return { kind: 'runResult', requestId, result, refusal: '' };
    } finally {
      clearTimeout(timer);
      this.share.giveBack(slot);
    }
  }

  private refuse(requestId: string, refusal: string): RunReport {
    this.options.onRun('refused');
    return { kind: 'runResult', requestId, result: null, refusal };
  }
}
