import { backoffMs } from '@watchpost/shared/backoff';
import { checkCode, keyOfCode, possibleCodes, type CheckKind, type CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { AgentIdentity, AssignmentSink } from '../../../platform/grpc/index.js';
import type { AgentHello } from '@watchpost/shared/wire/messages';
import type { AssignmentSessionDeps } from './assignment-session-deps.js';
import { CHANGE_LIMIT, type Changes, type Tick } from './change-ticks.js';
import { decideDelta } from './decide-delta.js';
import { findHandovers } from './find-handovers.js';
import { GainTracker } from './gain-tracker.js';
import { HeldChecks } from './held-checks.js';
import type { MonitorChecks } from './monitor-checks.js';
import type { Ownership } from '../members/decide-owner.js';
import type { RosterSession } from '../members/region-roster.js';
import { UpdateWriter, type Position } from './update-writer.js';
import { Wake } from '../../../platform/jobs/wake.js';

const BACKOFF = { initialMs: 100, maxMs: 5_000, factor: 2 };
/** How long an agent's revision may lag behind where nothing concerns it, ms: what it would be sent again after a cut. */
const TELL_REVISION_MS = 60_000;

/**
 * Keeps one agent's assignment current: what it was told is a set of keys, and a loop compares it with what it
 * should have, whenever monitors, members or acknowledgements move. A failure repeats the step; nothing is lost by it.
 */
export class AssignmentSession implements RosterSession {
  readonly agentId: string;
  readonly region: Region;
  readonly sessionId: string;
  readonly capabilities: readonly CheckKind[];
  private readonly held = new HeldChecks();
  private assigned: Ownership | undefined;
  /** What the agent was told to name, and from where this process has to ask for changes. */
  private told: Position = { revision: 0, epoch: '' };
  private toldAtMs = 0;
  private horizon = 0;
  private tickSeen = 0;
  /** Until when the position may have moved: what is read of all checks is read after that. */
  private movedAt = performance.now();
  /** When the newest of what the agent was told was read: an answer of before would tell it what was so earlier. */
  private readAt = 0;
  /** Revisions at or after the horizon that were sent already. */
  private recent = new Map<number, number>();
  private losses: { epoch: string; deadlineMs: number } | undefined;
  private readonly gains: GainTracker;
  private readonly writer: UpdateWriter;
  private readonly wake = new Wake();
  isOver = false;

  constructor(
    private readonly agent: AgentIdentity,
    private readonly hello: AgentHello,
    private readonly sink: AssignmentSink,
    private readonly deps: AssignmentSessionDeps,
  ) {
    this.agentId = agent.agentId;
    this.region = agent.region;
    this.sessionId = deps.sessionId;
    this.capabilities = hello.capabilities.toSorted();
    this.writer = new UpdateWriter(sink, deps.metrics);
    this.gains = new GainTracker((epoch) => deps.roster.noteTakeover(this, epoch));
  }

  /** Checks that the agent owns, as far as it was told. */
  get size(): number {
    return this.held.size;
  }

  wakeUp(): void {
    this.wake.signal();
  }

  superseded(): void {
    this.sink.end('replaced', 'A newer stream of this agent took over at another process.');
  }

  acknowledge(): void {
    this.gains.acknowledge();
  }

  close(): void {
    this.isOver = true;
    this.wake.signal();
  }

  /** Runs until the session is closed. */
  async run(): Promise<void> {
    for (let failures = 0; !this.isOver;) {
      let waitMs = 60_000;
      try {
        await this.step();
        failures = 0;
        if (this.losses) waitMs = Math.max(0, this.losses.deadlineMs - this.deps.clock.now());
      } catch (error) {
        if (this.isOver) return;
        this.deps.metrics.failures.inc();
        this.deps.logger.warn(
          { err: error, agentId: this.agentId },
          'an assignment could not be brought up to date; trying again',
        );
        waitMs = backoffMs(failures++, Math.random(), BACKOFF);
      }
      await this.wake.wait(waitMs);
    }
  }

  private async step(): Promise<void> {
    const ownership = this.deps.roster.ownershipFor(this);
    if (!ownership) return;
    const tick = this.deps.latestTick();
    if (!this.assigned) await this.open(ownership);
    else if (ownership.epoch !== this.assigned.epoch) await this.rebalance(ownership);
    if (this.isOver) return;
    await this.letGo();
    if (tick.number > this.tickSeen) {
      await this.catchUp(tick);
      this.tickSeen = tick.number;
    }
    this.movedAt = performance.now();
  }

  /** The first update: a delta where the agent has this epoch's assignment and is not too far behind, else all of it. */
  private async open(ownership: Ownership): Promise<void> {
    const { lastRevision, epoch } = this.hello;
    this.told = { revision: lastRevision, epoch };
    if (epoch !== ownership.epoch || lastRevision === 0 || !(await this.resume(ownership)))
      await this.sendSnapshot(ownership, 0, true);
    this.assigned = ownership;
    this.gains.mark(ownership.epoch, this.writer.sent);
  }

  /** @returns false where the agent's revision is not one to go on from */
  private async resume(ownership: Ownership): Promise<boolean> {
    const { lastRevision } = this.hello;
    // The keys first, the changes after them: what changes in between is in the changes then.
    const keys = new Set<number>();
    const walk = this.deps.walks.owned(this, ownership, this.movedAt);
    for await (const check of walk) keys.add(checkCode(check.key));
    const changes = await this.deps.db.read((tx) => this.deps.checks.changed(tx, lastRevision, CHANGE_LIMIT));
    this.readAt = performance.now();
    if (changes.monitors.length >= CHANGE_LIMIT || lastRevision > changes.horizon) return false;
    this.held.replace(keys);
    // The agent may have any check of a monitor that changed: what it should not have is removed by name.
    await this.send(changes, ownership, ({ monitorKey }) => possibleCodes(monitorKey), true);
    return true;
  }

  /** @param isFirst nobody knows yet what the agent has, and what it missed */
  private async sendSnapshot(ownership: Ownership, notBefore: number, isFirst = false): Promise<void> {
    const keys = new Set<number>();
    let horizon = 0;
    const walk = this.deps.walks.owned(this, ownership, notBefore, (page) => {
      ({ horizon } = page);
      this.readAt = page.readAt;
    });
    const noted = (async function* () {
      for await (const check of walk) {
        keys.add(checkCode(check.key));
        yield check;
      }
    })();
    const position = () => ({ revision: horizon, epoch: ownership.epoch });
    await this.writer.snapshot(noted, position, isFirst ? (checks) => this.handoversOf(checks, ownership) : null);
    this.held.replace(keys);
    this.horizon = horizon;
    this.recent.clear();
    this.noteTold({ revision: horizon, epoch: ownership.epoch });
  }

  /** The members changed: takes on what is gained now, and lets go of the rest when its new owners have it. */
  private async rebalance(ownership: Ownership): Promise<void> {
    const owned: CheckSpec[] = [];
    const walk = this.deps.walks.owned(this, ownership, this.movedAt, ({ readAt }) => (this.readAt = readAt));
    for await (const check of walk) owned.push(check);
    const had = this.held.all;
    const handovers = await this.handoversOf(owned, ownership);
    const gained = owned.filter(({ key }) => !had.has(checkCode(key)) || handovers.has(checkCode(key)));
    const loses = this.held.lostBy(this.agentId, ownership).length > 0;
    const after = loses ? this.told : { ...this.told, epoch: ownership.epoch };
    if (gained.length > 0 || !loses) await this.writer.delta(gained, [], this.told, after, handovers);
    for (const check of gained) this.held.add(checkCode(check.key));
    this.noteTold(after);
    this.assigned = ownership;
    this.losses = loses
      ? { epoch: ownership.epoch, deadlineMs: this.deps.clock.now() + this.deps.handOverMs }
      : undefined;
    this.gains.mark(ownership.epoch, this.writer.sent);
  }

  private async letGo(): Promise<void> {
    const { losses, assigned } = this;
    if (!losses || !assigned) return;
    if (!this.deps.roster.isTakenOver(losses.epoch) && this.deps.clock.now() < losses.deadlineMs) return;
    const codes = this.held.lostBy(this.agentId, assigned);
    const after = { ...this.told, epoch: assigned.epoch };
    await this.writer.delta([], codes.map(keyOfCode), this.told, after);
    for (const code of codes) this.held.delete(code);
    this.noteTold(after);
    this.losses = undefined;
  }

  private async catchUp(tick: Tick): Promise<void> {
    const assigned = this.assigned!;
    const changes = await tick.read(this.horizon, this.readAt);
    this.readAt = changes.readAt;
    if (changes.monitors.length >= CHANGE_LIMIT) {
      await this.sendSnapshot(assigned, this.readAt);
      this.losses = undefined;
      return;
    }
    const fresh = changes.monitors.filter((monitor) => this.recent.get(monitor.monitorKey) !== monitor.revision);
    const late = changes.horizon > this.told.revision && this.deps.clock.now() - this.toldAtMs > TELL_REVISION_MS;
    await this.send(
      { monitors: fresh, horizon: changes.horizon },
      assigned,
      (monitor) => this.held.ofMonitor(monitor.monitorKey),
      late,
    );
    const open = changes.monitors.filter((monitor) => monitor.revision >= changes.horizon);
    this.recent = new Map(open.map((monitor) => [monitor.monitorKey, monitor.revision]));
  }

  /** @param mayHave the checks of a changed monitor that the agent may have */
  private async send(
    changes: Changes,
    ownership: Ownership,
    mayHave: (monitor: MonitorChecks) => number[],
    always: boolean,
  ): Promise<void> {
    const { upserts, removes } = decideDelta(changes.monitors, this.agent, ownership, mayHave);
    if (upserts.length > 0 || removes.length > 0 || always) {
      const after = { revision: changes.horizon, epoch: this.told.epoch };
      await this.writer.delta(upserts, removes, this.told, after);
      this.noteTold(after);
    }
    for (const check of upserts) this.held.add(checkCode(check.key));
    for (const key of removes) this.held.delete(checkCode(key));
    this.horizon = changes.horizon;
  }

  private handoversOf(checks: readonly CheckSpec[], ownership: Ownership) {
    const { agentId, assigned: before, deps, held } = this;
    const question = { ...deps, agentId, ownership, before, had: held.all, nowAt: performance.now() };
    return findHandovers(deps, this.region, checks, question);
  }

  private noteTold(position: Position): void {
    this.told = position;
    this.toldAtMs = this.deps.clock.now();
  }
}
