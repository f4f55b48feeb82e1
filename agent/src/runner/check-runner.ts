import { alwaysMs, freshMs, hostOfTarget, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult, Outcome, ProbeReport } from '@watchpost/shared/outcome';
import type { Logger } from 'pino';
import type { OwnFailures } from '../references/own-failures.js';
import type { ReferenceWatch } from '../references/reference-watch.js';
import { DeadlineClock, type Timed } from '../probes/deadline-clock.js';
import { canBeBlindness, decideConclusive, inconclusive } from './decide-conclusive.js';
import type { LoopLag, LoopLagSampler } from './loop-lag.js';
import { subtractDelay } from './subtract-delay.js';
import type { LateCause } from '../schedule/scheduler-options.js';

export interface Probes {
  /** Does not reject for a fault of the target. Ends early with an outcome when the signal aborts. */
  run(spec: CheckSpec, signal: AbortSignal): Promise<ProbeReport>;
}

export interface CheckRunnerOptions {
  probes: Probes;
  clock: Clock;
  loopLag: LoopLagSampler;
  /** For how long the machine has been suspended since the agent started. */
  suspension: { readonly totalMs: number };
  /** Whether this machine has an address beyond its own loopback. */
  hasRoute(): boolean;
  /** Shows whether the agent has a network when a check fails. */
  references: Pick<ReferenceWatch, 'look' | 'mark'>;
  ownFailures: Pick<OwnFailures, 'noteUp' | 'noteDown' | 'isLikely'>;
  logger: Logger;
}

/** Its reason on the wire is that of any late check: a new code would need a new protocol version. */
const OWN_SHARE_USED_UP =
  'The check did not start because other checks of this account used up its share of the agent. Pause monitors of sites that never answer, or shorten their timeouts.';

/** Probes keep their own deadline, at most twice the time that a check may take; this one ends a probe that does not. */
const OVERTIME_MS = 5_000;

/** Runs single checks and decides whether their outcome is conclusive. Never rejects. */
export class CheckRunner {
  /** Shared by all checks, as is the timer: one of each for every check would cost more than the rest of its bookkeeping. */
  private readonly stop = new AbortController();
  private readonly overtime = new DeadlineClock();
  /** Those of the running checks with a deadline of their own, which end with `stop`, too. */
  private readonly ownStops = new Set<AbortController>();

  constructor(private readonly options: CheckRunnerOptions) {}

  /** @param scheduledAtMs the present for an on-demand run */
  async run(spec: CheckSpec, scheduledAtMs: number, deadline?: AbortSignal): Promise<CheckResult> {
    const { clock, loopLag, suspension } = this.options;
    // A timer can be a fraction of a ms early.
    const startedAtMs = Math.max(Math.floor(clock.now()), scheduledAtMs);
    const mark = loopLag.begin();
    const suspendedMs = suspension.totalMs;
    const beganMs = this.options.references.mark();
    const report = await this.probe(spec, deadline);
    const lag = loopLag.end(mark);
    const tookUs = loopLag.since(mark);
    const suspendedUs = (suspension.totalMs - suspendedMs) * 1_000;
    const found = report.outcome;
    const isUp = found.kind === 'up';
    if (isUp) this.options.ownFailures.noteUp();
    const isSuspect = found.kind === 'down' || (isUp && found.degraded !== undefined);
    const outcome = isSuspect
      ? await this.decideOutcome(spec, report, withSuspension(lag, suspendedUs), beganMs)
      : found;
    // The monotonic clock does not advance in a suspension, so that durations do not include it.
    const { totalUs, timings } = isUp ? subtractDelay(report, lag.totalUs, tookUs) : report;
    // Field by field: copying an object and then overwriting fields takes a slow path in V8.
    const result: CheckResult = {
      outcome,
      startedAtMs,
      totalUs,
      timings,
      statusCode: report.statusCode,
      address: report.address,
      evidence: outcome.kind === 'inconclusive' ? null : report.evidence,
      key: spec.key,
      scheduledAtMs,
      freshMs: freshMs(spec),
      loopLagUs: lag.maxUs,
    };
    if (report.tried) result.tried = report.tried;
    if (report.detail) result.detail = report.detail;
    if (report.addresses) result.addresses = report.addresses;
    if (report.addressWarnings) result.addressWarnings = report.addressWarnings;
    if (report.steps) result.steps = report.steps;
    if (report.ping) result.ping = report.ping;
    if (report.answer && outcome.kind === 'down') result.answer = report.answer;
    if (report.answerDigest && outcome.kind === 'down') result.answerDigest = report.answerDigest;
    return result;
  }

  /** The result of a check that did not start in time. */
  tooLate(spec: CheckSpec, scheduledAtMs: number, lagMs: number, cause: LateCause): CheckResult {
    const outcome = inconclusive(
      'agent_late',
      cause === 'ownShare'
        ? OWN_SHARE_USED_UP
        : `The agent was too busy to start this check: it was ${Math.round(lagMs)} ms late.`,
    );
    return {
      ...blankReport(outcome),
      key: spec.key,
      scheduledAtMs,
      startedAtMs: Math.floor(this.options.clock.now()),
      freshMs: freshMs(spec),
      loopLagUs: 0,
    };
  }

  /** Ends every running check; each still has a result. */
  abortAll(): void {
    this.stop.abort();
    for (const own of this.ownStops) own.abort();
  }

  /**
   * Without `AbortSignal.any`: Node 20 never frees its signal, or that of `AbortSignal.timeout`, if it has a listener. And
   * without a listener at `stop`, which would have one for each of these checks.
   */
  private ownStop(deadline: AbortSignal): AbortController {
    const own = new AbortController();
    const abort = (): void => own.abort();
    if (this.stop.signal.aborted || deadline.aborted) abort();
    else deadline.addEventListener('abort', abort, { once: true });
    return own;
  }

  private probe(spec: CheckSpec, deadline: AbortSignal | undefined): Promise<ProbeReport> {
    const { probes } = this.options;
    const stop = deadline ? this.ownStop(deadline) : this.stop;
    if (stop !== this.stop) this.ownStops.add(stop);
    return new Promise((resolve) => {
      const settle = (report: ProbeReport) => {
        this.overtime.delete(late);
        this.ownStops.delete(stop);
        resolve(report);
      };
      const late: Timed = {
        place: -1,
        endsAt: performance.now() + 2 * (spec.timeoutMs + alwaysMs(spec.target)) + OVERTIME_MS,
        onTime: () => settle(this.lost(spec, undefined, 'a probe did not end by its deadline')),
      };
      this.overtime.add(late);
      probes
        .run(spec, stop.signal)
        .then(settle, (error: unknown) => settle(this.lost(spec, error, 'a probe failed with an unexpected error')));
    });
  }

  private lost({ key: { monitorKey, kind } }: CheckSpec, error: unknown, what: string): ProbeReport {
    this.options.logger.error({ err: error, monitorKey, kind }, what);
    return blankReport(
      inconclusive('agent_overloaded', 'The agent could not finish this check because of an internal error.'),
    );
  }

  private async decideOutcome(spec: CheckSpec, report: ProbeReport, lag: LoopLag, beganMs: number): Promise<Outcome> {
    const { outcome, answer } = report;
    if (outcome.kind === 'down') this.options.ownFailures.noteDown(hostOfTarget(spec.target));
    const isBlind = await this.isBlind(report, beganMs);
    const condition = {
      loopLagMaxUs: lag.maxUs,
      loopLagTotalUs: lag.totalUs,
      isBlind,
      timeoutMs: spec.timeoutMs,
      stopping: this.stop.signal.aborted,
      hasRoute: this.options.hasRoute(),
    };
    return decideConclusive(outcome, condition, answer);
  }

  private async isBlind({ outcome, answer }: ProbeReport, beganMs: number): Promise<boolean> {
    const { references, ownFailures } = this.options;
    if (!canBeBlindness(outcome, answer) || this.stop.signal.aborted) return false;
    const visibility = await references.look(beganMs);
    return visibility === 'unknown' ? canBeBlindness(outcome) && ownFailures.isLikely : visibility === 'blind';
  }
}

/** A suspension is a delay of everything. */
function withSuspension({ maxUs, totalUs }: LoopLag, suspendedUs: number): LoopLag {
  return { maxUs: Math.max(maxUs, suspendedUs), totalUs: totalUs + suspendedUs };
}

function blankReport(outcome: Outcome): ProbeReport {
  return {
    outcome,
    startedAtMs: 0,
    totalUs: 0,
    timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
    statusCode: null,
    address: null,
    evidence: null,
  };
}
