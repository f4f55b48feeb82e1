import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { CredentialEnd } from '../../../platform/grpc/index.js';
import { selectCredentialStates, type AgentCredentialState } from './agent-store.js';

export interface AgentStatusWatchOptions {
  db: Database;
  bus: Bus;
  logger: Logger;
  /** How often the database is read: the operators' commands run in processes of their own, without the bus. */
  pollMs: number;
  onChange(agentId: string): void;
}

/** Watches the status and credential of every connected agent, and reports changes. */
export class AgentStatusWatch {
  /** Of each agent that was ever connected to this process: as many as operators have created. */
  private readonly states = new Map<string, AgentCredentialState>();
  private readonly revocationCallbacks = new Map<string, Set<(reason: CredentialEnd) => void>>();
  private readonly unsubscribe: () => void;
  private timer: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly options: AgentStatusWatchOptions) {
    this.unsubscribe = options.bus.subscribe('agent-changed', () => void this.readStates());
    this.timer = setTimeout(() => void this.poll(), options.pollMs);
  }

  note(agentId: string, { status, enrolledKey }: AgentCredentialState): void {
    const before = this.states.get(agentId);
    this.states.set(agentId, { status, enrolledKey });
    if (!before) return;
    // A new token ends the former credential only when it is used.
    const hasEnrolledAgain = enrolledKey !== null && !(before.enrolledKey?.equals(enrolledKey) ?? false);
    const reason: CredentialEnd | null = status === 'revoked' ? 'revoked' : hasEnrolledAgain ? 'enrolledAgain' : null;
    if (before.status === status && !hasEnrolledAgain) return;
    if (reason) for (const callback of [...(this.revocationCallbacks.get(agentId) ?? [])]) callback(reason);
    if (before.status !== status) this.options.onChange(agentId);
  }

  /** @returns a function that ends the watch */
  onRevoked(agentId: string, callback: (reason: CredentialEnd) => void): () => void {
    const callbacks = this.revocationCallbacks.get(agentId) ?? new Set();
    this.revocationCallbacks.set(agentId, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0 && this.revocationCallbacks.get(agentId) === callbacks)
        this.revocationCallbacks.delete(agentId);
    };
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
  }

  private async poll(): Promise<void> {
    await this.readStates();
    if (!this.stopped) this.timer = setTimeout(() => void this.poll(), this.options.pollMs);
  }

  private async readStates(): Promise<void> {
    const ids = [...this.revocationCallbacks.keys()];
    if (ids.length === 0 || this.stopped) return;
    try {
      const rows = await this.options.db.read((tx) => selectCredentialStates(tx, ids));
      for (const { id, ...state } of rows) this.note(id, state);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the status of agents could not be read; trying again');
    }
  }
}
