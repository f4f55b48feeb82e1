import { backoffMs } from '@watchpost/shared/backoff';
import { checkCode, keyOfCode, possibleCodes, type CheckKind, type CheckSpec } from '@watchpost/shared/check';
import type { Place } from '@watchpost/shared/region';
import type { AgentHello } from '@watchpost/shared/wire/messages';
import type { AgentIdentity, AssignmentSink } from '../agents/agent-connection.js';
import { ownedShards, ownerOf, type Ownership } from '../members/decide-owner.js';
import type { RosterSession } from '../members/region-roster.js';
import { Wake } from '../../../platform/jobs/wake.js';
import { AssignedChecks } from './assigned-checks.js';
import type { AssignmentSessionDeps } from './assignment-session-deps.js';
import type { WalkReads } from './bounded-reads.js';
import { walkShards, type WalkBatch } from './shard-walk.js';
import { CHANGE_LIMIT, type Changes, type Tick } from './change-ticks.js';
import { decideDelta } from './decide-delta.js';
import { decideGainedShards, hasGoneOwners } from './decide-gained-shards.js';
import { epochOf } from './epoch-text.js';
import { findHandovers } from './find-handovers.js';
import type { MonitorChecks } from '../../monitors/index.js';
import { PendingReleases } from './pending-releases.js';
import { TakeoverTracker } from './takeover-tracker.js';
import { UpdateWriter, type Position } from './update-writer.js';

const BACKOFF = { initialMs: 100, maxMs: 5_000, factor: 2 };
/** An agent without changes is sent the newest revision after this time, so that it resumes from there; ms. */
const REVISION_REFRESH_MS = 60_000;

class GivenUp extends Error {}

/**
 * Keeps one agent's assignment current on its stream. Changes of monitors, members and takeovers wake it. Each step
 * compares what was assigned with what the agent owns and sends the difference. A failed step is repeated.
 */
export class AssignmentSession implements RosterSession {
  readonly agentId: string;
  readonly region: Place;
  readonly sessionId: string;
  readonly capabilities: readonly CheckKind[];
  private readonly assigned = new AssignedChecks();
  /** The ownership by which the agent was last sent checks. */
  private ownership: Ownership | undefined;
  /** The position that the agent has after the last update. */
  private position: Position = { revision: 0, epoch: '' };
  private positionSentMs = 0;
  /** The revision from which changes are read next. */
  private horizon = 0;
  private lastTick = 0;
  /** When the newest data that was sent was read, by the monotonic clock: older data must not be sent after it. */
  private readAt = 0;
  /** Revisions at or after the horizon that are already sent, by monitor key. */
  private sentRevisions = new Map<number, number>();
  private readonly pendingReleases = new PendingReleases();
  private readonly takeovers: TakeoverTracker;
  private readonly writer: UpdateWriter;
  private readonly wake = new Wake();
  /** The agent is about to stop, and was not sent its drain yet. */
  private isLeaving = false;
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
    this.writer = new UpdateWriter(sink, deps.metrics, deps.databaseHistory);
    this.takeovers = new TakeoverTracker((epoch) => deps.roster.noteTakeover(this, epoch));
  }

  get size(): number {
    return this.assigned.size;
  }

  /** Notes how many checks the agent reports. */
  noteCount(checks: number): void {
    this.assigned.noteCount(checks);
  }

  wakeUp(): void {
    this.wake.signal();
  }

  superseded(): void {
    this.sink.end('replaced', 'A newer stream of this agent took over at another process.');
  }

  acknowledge(): void {
    this.takeovers.acknowledge();
  }

  /** The agent is about to stop: it gets a drain when other agents have its checks. */
  leave(): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.deps.roster.depart(this);
  }

  close(): void {
    this.isOver = true;
    this.wake.signal();
  }

  async run(): Promise<void> {
    for (let failures = 0; !this.isOver;) {
      let waitMs = 60_000;
      try {
        await this.step();
        failures = 0;
        const { deadlineMs } = this.pendingReleases;
        if (deadlineMs !== undefined) waitMs = Math.max(0, deadlineMs - this.deps.clock.now());
      } catch (error) {
        if (this.isOver) return;
        this.deps.metrics.failures.inc();
        this.deps.logger.warn(
          { err: error, agentId: this.agentId },
          'an assignment could not be updated; trying again',
        );
        // Not `retry`: whatever wakes the session ends this pause too.
        waitMs = backoffMs(failures++, Math.random(), BACKOFF);
      }
      await this.wake.wait(waitMs);
    }
  }

  private async step(): Promise<void> {
    const ownership = this.deps.roster.ownershipFor(this);
    if (!ownership) return;
    const tick = this.deps.latestTick();
    if (!this.ownership) {
      if (!(await this.open(ownership))) return this.wakeUp();
    } else if (ownership.epoch !== this.ownership.epoch) await this.rebalance(ownership);
    if (this.isOver) return;
    await this.release();
    if (tick.number > this.lastTick) {
      await this.sendChanges(tick);
      this.lastTick = tick.number;
    }
    const isReleased = this.pendingReleases.isEmpty && ownership === this.deps.roster.ownershipFor(this);
    if (this.isLeaving && isReleased && this.deps.roster.hasDeparted(this)) {
      this.isLeaving = false;
      await this.sink.send({ kind: 'drain', reason: 'The agent leaves.' });
    }
  }

  /**
   * Sends the first update: a delta if the agent has an assignment of this epoch and few changes since, else a snapshot.
   * @returns false if it was given up for that of a newer epoch
   */
  private async open(ownership: Ownership): Promise<boolean> {
    const { lastRevision } = this.hello;
    const epoch = epochOf(this.hello.epoch, this.deps.databaseHistory);
    this.position = { revision: lastRevision, epoch };
    const resumes = epoch === ownership.epoch && lastRevision !== 0 && (await this.resume(ownership));
    if (!resumes && !(await this.sendSnapshot(ownership))) return false;
    this.ownership = ownership;
    this.takeovers.expect(ownership.epoch, this.writer.sent);
    return true;
  }

  /** @returns false if the agent's revision is unknown or too old */
  private async resume(ownership: Ownership): Promise<boolean> {
    const { lastRevision } = this.hello;
    const { reads, checks } = this.deps;
    const changes = await reads.begin(false).read((tx) => checks.changed(tx, lastRevision, CHANGE_LIMIT));
    this.readAt = performance.now();
    const isComplete = changes.monitors.length < CHANGE_LIMIT && lastRevision > changes.purged;
    if (!isComplete || lastRevision > changes.horizon) return false;
    this.assigned.keep(this.agentId, ownership);
    // The agent may have any check of a changed monitor, so that the delta removes all that it does not own.
    await this.sendDelta(changes, ownership, ({ monitorKey }) => possibleCodes(monitorKey), true);
    return true;
  }

  /**
   * An agent that is among the first of a region to connect owns many shards at first. Where less is left of the snapshot of a
   * newer epoch than of this one, the walk begins again with that.
   * @returns false if it was given up
   */
  private async sendSnapshot(ownership: Ownership): Promise<boolean> {
    const codes = new Set<number>();
    let horizon = 0;
    const shards = [...ownedShards(ownership.owners, this.agentId).keys()];
    const reads = this.deps.reads.begin(hasGoneOwners(ownership));
    const walk = this.ownedChecks(reads, ownership, shards, (batch) => {
      if (this.needsLess(ownership, batch.shardsLeft)) throw new GivenUp();
      ({ horizon } = batch);
      this.readAt = batch.readAt;
    });
    const noted = (async function* () {
      for await (const check of walk) {
        codes.add(checkCode(check.key));
        yield check;
      }
    })();
    const position = () => ({ revision: horizon, epoch: ownership.epoch });
    try {
      await this.writer.snapshot(noted, position, (checks) => this.findHandovers(reads, checks, ownership));
    } catch (error) {
      if (error instanceof GivenUp) return false;
      throw error;
    }
    this.assigned.replace(codes);
    this.horizon = horizon;
    this.sentRevisions.clear();
    this.setPosition(position());
    return true;
  }

  /** Whether the agent owns fewer shards in a newer epoch than so many. */
  private needsLess({ epoch }: Ownership, shards: number): boolean {
    const newest = this.deps.roster.ownershipFor(this);
    return newest !== undefined && newest.epoch !== epoch && ownedShards(newest.owners, this.agentId).size < shards;
  }

  /** Sends the checks that the agent gains in a new epoch. The checks that it loses are released later. */
  private async rebalance(ownership: Ownership): Promise<void> {
    const owned: CheckSpec[] = [];
    const shards = decideGainedShards(this.agentId, this.ownership!, ownership);
    const reads = this.deps.reads.begin(hasGoneOwners(ownership));
    if (shards.length > 0) {
      const walk = this.ownedChecks(reads, ownership, shards, ({ readAt }) => (this.readAt = readAt));
      for await (const check of walk) owned.push(check);
    }
    const handovers = await this.findHandovers(reads, owned, ownership);
    const gained = owned.filter(({ key }) => !this.assigned.has(checkCode(key)) || handovers.has(checkCode(key)));
    const loses = this.assigned.hasLost(this.agentId, ownership);
    const after = loses ? this.position : { ...this.position, epoch: ownership.epoch };
    if (gained.length > 0 || !loses) await this.writer.delta(gained, [], this.position, after, handovers);
    for (const check of gained) this.assigned.add(checkCode(check.key));
    this.setPosition(after);
    this.ownership = ownership;
    this.pendingReleases.add(ownership, this.deps.clock.now() + this.deps.handoverMs, loses);
    this.takeovers.expect(ownership.epoch, this.writer.sent);
  }

  /** Removes the checks of other owners once these have taken them over, or after the handover time of their epoch. */
  private async release(): Promise<void> {
    const { ownership, pendingReleases, agentId, assigned } = this;
    if (!ownership || pendingReleases.isEmpty) return;
    const isTakenOver = this.deps.roster.isTakenOver(ownership.epoch);
    const due = pendingReleases.due(this.deps.clock.now(), isTakenOver);
    if (!due) return;
    const codes = new Set(assigned.lostSent(agentId, due));
    const shards = assigned.lostShards(agentId, due);
    if (shards.length > 0) {
      const { reads, checks } = this.deps;
      const keys = await reads.begin(false).read((tx) => checks.keysInShards(tx, shards));
      for (const code of keys.flatMap((key) => assigned.ofMonitor(key)))
        if (due.every(({ owners }) => ownerOf(owners, code) !== agentId)) codes.add(code);
    }
    // The agent has what it owns in an epoch, and nothing else, only when everything is released.
    const isComplete = due.length === 1 && due[0] === ownership;
    const after = isComplete ? { ...this.position, epoch: ownership.epoch } : this.position;
    if (isComplete || codes.size > 0) await this.writer.delta([], [...codes].map(keyOfCode), this.position, after);
    assigned.dropLost(agentId, due);
    pendingReleases.settle(due);
    if (isComplete) this.setPosition(after);
  }

  private async sendChanges(tick: Tick): Promise<void> {
    const ownership = this.ownership!;
    for (let hasMore = true; hasMore && !this.isOver;) {
      const since = this.horizon;
      const changes = await tick.read(since, this.readAt);
      this.readAt = changes.readAt;
      const fresh = changes.monitors.filter(
        (monitor) => this.sentRevisions.get(monitor.monitorKey) !== monitor.revision,
      );
      const isRefreshDue =
        changes.horizon > this.position.revision && this.deps.clock.now() - this.positionSentMs > REVISION_REFRESH_MS;
      await this.sendDelta(
        { monitors: fresh, horizon: changes.horizon },
        ownership,
        (monitor) => this.assigned.ofMonitor(monitor.monitorKey),
        isRefreshDue,
      );
      const open = changes.monitors.filter((monitor) => monitor.revision >= changes.horizon);
      this.sentRevisions = new Map(open.map((monitor) => [monitor.monitorKey, monitor.revision]));
      hasMore = changes.monitors.length >= CHANGE_LIMIT && changes.horizon > since;
    }
  }

  /**
   * @param mayHave the checks of a changed monitor that the agent may have
   * @param always sends the delta also if it contains no checks
   */
  private async sendDelta(
    changes: Changes,
    ownership: Ownership,
    mayHave: (monitor: MonitorChecks) => number[],
    always: boolean,
  ): Promise<void> {
    const { upserts, removes } = decideDelta(changes.monitors, this.agent, ownership, mayHave);
    if (upserts.length > 0 || removes.length > 0 || always) {
      const after = { revision: changes.horizon, epoch: this.position.epoch };
      await this.writer.delta(upserts, removes, this.position, after);
      this.setPosition(after);
    }
    for (const check of upserts) this.assigned.add(checkCode(check.key));
    for (const key of removes) this.assigned.delete(checkCode(key));
    for (const { monitorKey } of changes.monitors) this.assigned.settle(monitorKey);
    this.horizon = changes.horizon;
  }

  /** The checks in these shards that the agent owns. */
  private async *ownedChecks(
    reads: WalkReads,
    { owners }: Ownership,
    shards: readonly number[],
    onBatch: (batch: WalkBatch) => void,
  ): AsyncGenerator<CheckSpec> {
    const session = { region: this.region, isOver: () => this.isOver };
    for await (const check of walkShards({ reads, checks: this.deps.checks }, session, shards, onBatch))
      if (ownerOf(owners, checkCode(check.key)) === this.agentId) yield check;
  }

  private findHandovers(reads: WalkReads, checks: readonly CheckSpec[], ownership: Ownership) {
    const { agentId, ownership: before, deps } = this;
    const { roster, handoverMs } = deps;
    const facts = { agentId, ownership, before, assigned: this.assigned, roster, handoverMs, nowAt: performance.now() };
    return findHandovers({ ...deps, reads }, this.agent, checks, facts);
  }

  private setPosition(position: Position): void {
    this.position = position;
    this.positionSentMs = this.deps.clock.now();
  }
}
