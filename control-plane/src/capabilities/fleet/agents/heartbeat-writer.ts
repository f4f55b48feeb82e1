import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import { untilBeat } from '../../../platform/jobs/beat.js';
import type { AgentHeartbeat } from '@watchpost/shared/wire/messages';
import { recordHeartbeats, type ReceivedHeartbeat } from './agent-store.js';

/** Collects the agents' heartbeats for `flushMs` and stores them in one statement. */
export class HeartbeatWriter {
  private pending = new Map<string, ReceivedHeartbeat>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: { db: Database; clock: Clock; logger: Logger; flushMs: number }) {}

  note(agentId: string, heartbeat: AgentHeartbeat): void {
    this.pending.set(agentId, { agentId, ...heartbeat, receivedAtMs: this.options.clock.now() });
    this.timer ??= setTimeout(() => void this.flush(), untilBeat(this.options.flushMs));
  }

  /** Stores the pending heartbeats. After a failure they are dropped, because the next ones replace them. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const heartbeats = [...this.pending.values()];
    this.pending.clear();
    if (heartbeats.length === 0) return;
    try {
      // A single statement needs no transaction.
      await this.options.db.read((tx) => recordHeartbeats(tx, heartbeats));
    } catch (error) {
      this.options.logger.warn({ err: error, agents: heartbeats.length }, 'heartbeats could not be stored');
    }
  }
}
