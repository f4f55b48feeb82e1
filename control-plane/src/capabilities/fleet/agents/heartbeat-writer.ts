import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import type { AgentHeartbeat } from '@watchpost/shared/wire/messages';
import { recordHeartbeats, type ReceivedHeartbeat } from './agent-store.js';

/** Keeps the agents' heartbeats for a few seconds and writes those of the whole fleet at once. */
export class HeartbeatWriter {
  private pending = new Map<string, ReceivedHeartbeat>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: { db: Database; clock: Clock; logger: Logger; flushMs: number }) {}

  note(agentId: string, heartbeat: AgentHeartbeat): void {
    this.pending.set(agentId, { agentId, ...heartbeat, seenMs: this.options.clock.now() });
    this.timer ??= setTimeout(() => void this.flush(), this.options.flushMs);
  }

  /** Writes what is pending; what cannot be written is forgotten, as the next heartbeat says it again. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const pulses = [...this.pending.values()];
    this.pending.clear();
    if (pulses.length === 0) return;
    try {
      // Outside a transaction of its own making: one statement is one.
      await this.options.db.read((tx) => recordHeartbeats(tx, pulses));
    } catch (error) {
      this.options.logger.warn({ err: error, agents: pulses.length }, 'heartbeats could not be written');
    }
  }
}
