import type { CheckKey, CheckKind, CheckSpec, RunPurpose } from '@watchpost/shared/check';
import { onlyReads } from '@watchpost/shared/one-off-tests';
import type { Clock } from '@watchpost/shared/clock';
import { FairShare, type ShareRefusal } from '@watchpost/shared/fair-share';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import { type Place, placeText } from '@watchpost/shared/region';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { sentSecretsMask } from '@watchpost/shared/secrets/sent-secrets';
import type { AssignmentSink } from '../agents/agent-connection.js';
import type { AgentMessage } from '@watchpost/shared/wire/messages';
import type { FleetMetrics } from '../fleet-metrics.js';

/** Concurrent runs on one agent: more would delay its scheduled checks. The agent has the same limit. */
export const MAX_RUNS_PER_AGENT = 64;
/** The part of these that only second opinions can use, so that tests cannot delay the confirmation of an outage. */
export const RUNS_RESERVED_FOR_SECOND_OPINIONS = 16;
/** If one agent is lost or refuses, another one is tried; not after an agent was lost with steps that may have changed something. */
const ATTEMPTS = 2;

/** A check to run once, now. */
export interface RunRequest {
  region: Place;
  check: CheckSpec;
  timeoutMs: number;
  purpose: RunPurpose;
  /** An agent that must not run it. */
  except?: string | undefined;
}

interface Runner {
  region: Place;
  kinds: readonly CheckKind[];
  sink: AssignmentSink;
  /** Shares the agent among owners. It applies to all processes, because an agent's stream ends in one of them. */
  share: FairShare;
  /** By request id. */
  inFlight: Map<string, { asked: CheckKey; settle: (end: RunEnd) => void }>;
}

type RunEnd =
  | { kind: 'result'; result: CheckResult }
  | { kind: 'refused'; reason: string }
  | { kind: 'gone' }
  | { kind: 'late' };

/** Runs one-off tests and second opinions on the agents of this process. The least loaded agent of a region runs each. */
export class OnDemandRuns {
  private readonly runners = new Map<string, Runner>();

  constructor(
    private readonly clock: Clock,
    private readonly metrics: FleetMetrics,
  ) {}

  addAgent(agentId: string, region: Place, kinds: readonly CheckKind[], sink: AssignmentSink): void {
    this.removeAgent(agentId);
    this.runners.set(agentId, { region, kinds, sink, share: new FairShare(MAX_RUNS_PER_AGENT), inFlight: new Map() });
  }

  /** @param sink removes the agent only if this is still its stream */
  removeAgent(agentId: string, sink?: AssignmentSink): void {
    const runner = this.runners.get(agentId);
    if (!runner || (sink && runner.sink !== sink)) return;
    this.runners.delete(agentId);
    for (const { settle } of [...runner.inFlight.values()]) settle({ kind: 'gone' });
  }

  hasAgent(region: Place, kind: CheckKind, except?: string): boolean {
    return this.leastLoaded(region, kind, new Set(except === undefined ? [] : [except])) !== undefined;
  }

  receive(agentId: string, message: Extract<AgentMessage, { kind: 'runResult' }>): void {
    // A result that arrives after its deadline is dropped.
    const waiting = this.runners.get(agentId)?.inFlight.get(message.requestId);
    if (!waiting) return;
    const { asked, settle } = waiting;
    const { result, refusal } = message;
    if (!result) settle({ kind: 'refused', reason: refusal });
    else if (result.key.kind === asked.kind && result.key.monitorKey === asked.monitorKey)
      settle({ kind: 'result', result });
    else settle({ kind: 'refused', reason: 'it sent the result of another check' });
  }

  /**
   * Runs a check once, now.
   * @throws Fault `unavailable` if the region has no agent with free capacity, or none answers within `timeoutMs`;
   * `rate_limited` if the owner of the check already uses its whole share of the agent
   */
  async run({ region, check, timeoutMs, purpose, except }: RunRequest): Promise<CheckResult> {
    const deadlineMs = this.clock.now() + timeoutMs;
    const tried = new Set(except === undefined ? [] : [except]);
    let reason = `No agent of ${placeText(region)} that can run this is connected.`;
    for (let attempt = 0; attempt < ATTEMPTS && this.clock.now() < deadlineMs; attempt++) {
      const chosen = this.leastLoaded(region, check.key.kind, tried);
      if (!chosen) break;
      const reserve = purpose === 'secondOpinion' ? 0 : RUNS_RESERVED_FOR_SECOND_OPINIONS;
      const refusal = chosen.runner.share.refusal(check, reserve);
      if (refusal !== null) {
        this.metrics.runs.inc({ outcome: refusal === 'full' ? 'busy' : 'ownShare' });
        throw refusalFault(refusal, region, purpose);
      }
      tried.add(chosen.agentId);
      const end = await this.runOn(chosen.runner, check, deadlineMs, purpose);
      this.metrics.runs.inc({ outcome: end.kind });
      if (end.kind === 'result') return maskSecrets(check, end.result);
      if (end.kind === 'late')
        throw new Fault('unavailable', `No agent of ${placeText(region)} answered within ${timeoutMs} ms.`, [], 5);
      reason =
        end.kind === 'gone'
          ? `The agent of ${placeText(region)} was lost while it ran the test.`
          : `The agent of ${placeText(region)} refused: ${end.reason}.`;
      const { target } = check;
      if (end.kind === 'gone' && target.kind === 'http' && !onlyReads(target.steps)) break;
    }
    if (tried.size === (except === undefined ? 0 : 1)) this.metrics.runs.inc({ outcome: 'noAgent' });
    throw new Fault('unavailable', `${reason} Try again in a moment.`, [], 5);
  }

  private leastLoaded(
    region: Place,
    kind: CheckKind,
    except: ReadonlySet<string>,
  ): { agentId: string; runner: Runner } | undefined {
    let best: { agentId: string; runner: Runner } | undefined;
    for (const [agentId, runner] of this.runners) {
      if (runner.region !== region || !runner.kinds.includes(kind) || except.has(agentId)) continue;
      if (!best || runner.share.held < best.runner.share.held) best = { agentId, runner };
    }
    return best;
  }

  private async runOn(runner: Runner, check: CheckSpec, deadlineMs: number, purpose: RunPurpose): Promise<RunEnd> {
    const requestId = newId(this.clock.now());
    const slot = runner.share.take(check);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RunEnd>((resolve) => {
        runner.inFlight.set(requestId, { asked: check.key, settle: resolve });
        timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, deadlineMs - this.clock.now()));
        void runner.sink.send({ kind: 'runNow', requestId, check, deadlineMs, purpose });
      });
    } finally {
      clearTimeout(timer);
      runner.inFlight.delete(requestId);
      runner.share.giveBack(slot);
    }
  }
}

function refusalFault(refusal: ShareRefusal, region: Place, purpose: RunPurpose): Fault {
  if (refusal === 'full')
    return new Fault(
      'unavailable',
      `The agents of ${placeText(region)} are busy with other tests: try again in a moment.`,
      [],
      2,
    );
  const message =
    purpose === 'public'
      ? 'Too many people use this tool right now: try again in a few seconds.'
      : 'Your account has as many tests running as its share of the agents allows: wait until one has ended.';
  return new Fault('rate_limited', message, [], 2);
}

/** Masks the secrets of the request that the site repeats in its answer, because callers store or show results. */
function maskSecrets({ target }: CheckSpec, result: CheckResult): CheckResult {
  const mask = sentSecretsMask(target);
  return mask ? maskReport(result, mask) : result;
}
