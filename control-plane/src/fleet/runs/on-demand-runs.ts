import type { CheckKey, CheckKind, CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { AgentMessage, AssignmentSink } from '../../grpc/index.js';
import type { FleetMetrics } from '../fleet-metrics.js';

/** More at once on one agent would take the time from its schedule. */
const MAX_IN_FLIGHT = 32;
/** One agent that is lost in mid-run, or refuses, is made up for by another one. */
const ATTEMPTS = 2;

interface Runner {
  region: Region;
  kinds: readonly CheckKind[];
  sink: AssignmentSink;
  /** By request id. */
  inFlight: Map<string, { asked: CheckKey; settle: (end: RunEnd) => void }>;
}

type RunEnd =
  | { kind: 'result'; result: CheckResult }
  | { kind: 'refused'; why: string }
  | { kind: 'gone' }
  | { kind: 'late' };

/** Checks that somebody waits for: one-off tests and second opinions, run by whichever agent of a region has least of them. */
export class OnDemandRuns {
  private readonly runners = new Map<string, Runner>();

  constructor(
    private readonly clock: Clock,
    private readonly metrics: FleetMetrics,
  ) {}

  addAgent(agentId: string, region: Region, kinds: readonly CheckKind[], sink: AssignmentSink): void {
    this.removeAgent(agentId);
    this.runners.set(agentId, { region, kinds, sink, inFlight: new Map() });
  }

  /** @param sink only where this is still the agent's stream */
  removeAgent(agentId: string, sink?: AssignmentSink): void {
    const runner = this.runners.get(agentId);
    if (!runner || (sink && runner.sink !== sink)) return;
    this.runners.delete(agentId);
    for (const { settle } of [...runner.inFlight.values()]) settle({ kind: 'gone' });
  }

  hasAgent(region: Region, kind: CheckKind, except?: string): boolean {
    return this.leastLoaded(region, kind, new Set(except === undefined ? [] : [except])) !== undefined;
  }

  receive(agentId: string, message: Extract<AgentMessage, { kind: 'runResult' }>): void {
    // What nobody waits for any more came after its deadline.
    const waiting = this.runners.get(agentId)?.inFlight.get(message.requestId);
    if (!waiting) return;
    const { asked, settle } = waiting;
    const { result, refusal } = message;
    if (!result) settle({ kind: 'refused', why: refusal });
    else if (result.key.kind === asked.kind && result.key.monitorKey === asked.monitorKey)
      settle({ kind: 'result', result });
    else settle({ kind: 'refused', why: 'it answered what it was not asked' });
  }

  /**
   * Runs a check once, now.
   * @param except an agent that is not to run it
   * @throws Fault `unavailable` where the region has no agent with room for it, or no answer comes within `timeoutMs`
   */
  async run(region: Region, check: CheckSpec, timeoutMs: number, except?: string): Promise<CheckResult> {
    const deadlineMs = this.clock.now() + timeoutMs;
    const tried = new Set(except === undefined ? [] : [except]);
    let why = `No agent of ${region} that can run this is connected.`;
    for (let attempt = 0; attempt < ATTEMPTS && this.clock.now() < deadlineMs; attempt++) {
      const chosen = this.leastLoaded(region, check.key.kind, tried);
      if (!chosen) break;
      if (chosen.runner.inFlight.size >= MAX_IN_FLIGHT) {
        this.metrics.runs.inc({ outcome: 'busy' });
        throw new Fault(
          'unavailable',
          `The agents of ${region} are busy with other tests: try again in a moment.`,
          [],
          2,
        );
      }
      tried.add(chosen.agentId);
      const end = await this.runOn(chosen.runner, check, deadlineMs);
      this.metrics.runs.inc({ outcome: end.kind });
      if (end.kind === 'result') return end.result;
      if (end.kind === 'late')
        throw new Fault('unavailable', `No agent of ${region} answered within ${timeoutMs} ms.`, [], 5);
      why =
        end.kind === 'gone'
          ? `The agent of ${region} was lost while it ran the test.`
          : `The agent of ${region} refused: ${end.why}`;
    }
    if (tried.size === (except === undefined ? 0 : 1)) this.metrics.runs.inc({ outcome: 'noAgent' });
    throw new Fault('unavailable', `${why} Try again in a moment.`, [], 5);
  }

  private leastLoaded(
    region: Region,
    kind: CheckKind,
    except: ReadonlySet<string>,
  ): { agentId: string; runner: Runner } | undefined {
    let best: { agentId: string; runner: Runner } | undefined;
    for (const [agentId, runner] of this.runners) {
      if (runner.region !== region || !runner.kinds.includes(kind) || except.has(agentId)) continue;
      if (!best || runner.inFlight.size < best.runner.inFlight.size) best = { agentId, runner };
    }
    return best;
  }

  private async runOn(runner: Runner, check: CheckSpec, deadlineMs: number): Promise<RunEnd> {
    const requestId = newId(this.clock.now());
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RunEnd>((resolve) => {
        runner.inFlight.set(requestId, { asked: check.key, settle: resolve });
        timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, deadlineMs - this.clock.now()));
        void runner.sink.send({ kind: 'runNow', requestId, check, deadlineMs });
      });
    } finally {
      clearTimeout(timer);
      runner.inFlight.delete(requestId);
    }
  }
}
