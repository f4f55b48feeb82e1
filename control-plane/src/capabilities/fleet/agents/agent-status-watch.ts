import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { CredentialEnd } from '../../../platform/grpc/index.js';
import { selectCredentialStates, type AgentCredentialState } from './agent-store.js';

export interface AgentStatusWatchOptions {
  db: Database;
  bus: Bus;
  logger: Logger;
  /** How often is asked: the operators' commands run in processes of their own, and have no bus. */
  pollMs: number;
  onChange(agentId: string): void;
}

/** Knows the status of every agent that is connected, and says when one changes. */
export class AgentStatusWatch {
  private readonly known = new Map<string, AgentCredentialState>();
  private readonly revocations = new Map<string, Set<(why: CredentialEnd) => void>>();
  private readonly unsubscribe: () => void;
  private timer: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly options: AgentStatusWatchOptions) {
    this.unsubscribe = options.bus.subscribe('agent-changed', () => void this.look());
    this.timer = setTimeout(() => void this.poll(), options.pollMs);
  }

  note(agentId: string, { status, enrolledKey }: AgentCredentialState): void {
    const before = this.known.get(agentId);
    this.known.set(agentId, { status, enrolledKey });
    if (!before) return;
    // A token that was replaced ends nothing before it is used.
    const isAnew = enrolledKey !== null && !(before.enrolledKey?.equals(enrolledKey) ?? false);
    const why: CredentialEnd | null = status === 'revoked' ? 'revoked' : isAnew ? 'enrolledAnew' : null;
    if (before.status === status && !isAnew) return;
    if (why) for (const callback of [...(this.revocations.get(agentId) ?? [])]) callback(why);
    if (before.status !== status) this.options.onChange(agentId);
  }

  /** @returns a function that ends the watch */
  onRevoked(agentId: string, callback: (why: CredentialEnd) => void): () => void {
    const callbacks = this.revocations.get(agentId) ?? new Set();
    this.revocations.set(agentId, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0 && this.revocations.get(agentId) === callbacks) this.revocations.delete(agentId);
    };
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
  }

  private async poll(): Promise<void> {
    await this.look();
    if (!this.stopped) this.timer = setTimeout(() => void this.poll(), this.options.pollMs);
  }

  private async look(): Promise<void> {
    const ids = [...this.revocations.keys()];
    if (ids.length === 0 || this.stopped) return;
    try {
      const rows = await this.options.db.read((tx) => selectCredentialStates(tx, ids));
      for (const { id, ...standing } of rows) this.note(id, standing);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the status of agents could not be read; trying again');
    }
  }
}
