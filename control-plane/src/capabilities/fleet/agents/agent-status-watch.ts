import { isDeepStrictEqual } from 'node:util';
import type { PlaceEgress } from '@watchpost/shared/wire/messages';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { CredentialEnd } from './agent-connection.js';
import { startPeriodicTask, type RunningTask } from '../../../platform/jobs/periodic-task.js';
import { selectCredentialStates, type AgentCredentialState } from './agent-store.js';

export interface AgentStatusWatchOptions {
  db: Database;
  bus: Bus;
  logger: Logger;
  /** How often the database is read: the operators' commands run in processes of their own, without the bus. */
  pollMs: number;
  onChange(agentId: string): void;
  /** The ranges of the agent's private location were changed. */
  onEgress(agentId: string, egress: PlaceEgress): void;
}

/** The state of an agent that connected in the moment in which it was deleted. */
const DELETED: AgentCredentialState = { status: 'revoked', enrolledKey: null, egress: null };

export class AgentStatusWatch {
  /** Of each agent that was ever connected to this process: as many as operators have created. */
  private readonly states = new Map<string, AgentCredentialState>();
  private readonly revocationCallbacks = new Map<string, Set<(reason: CredentialEnd) => void>>();
  private readonly unsubscribe: () => void;
  private readonly reading: RunningTask;

  constructor(private readonly options: AgentStatusWatchOptions) {
    const { bus, logger, pollMs } = options;
    const task = { name: 'watch_agents', everyMs: pollMs, initialDelayMs: pollMs, run: () => this.readStates() };
    this.reading = startPeriodicTask(task, { logger });
    this.unsubscribe = bus.subscribe('agent-changed', () => this.reading.wake());
  }

  note(agentId: string, { status, enrolledKey, egress }: AgentCredentialState): void {
    const before = this.states.get(agentId);
    this.states.set(agentId, { status, enrolledKey, egress });
    if (!before) return;
    if (egress && !isDeepStrictEqual(egress, before.egress)) this.options.onEgress(agentId, egress);
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

  async stop(): Promise<void> {
    this.unsubscribe();
    await this.reading.stop();
  }

  private async readStates(): Promise<void> {
    const ids = [...this.revocationCallbacks.keys()];
    if (ids.length === 0) return;
    const rows = await this.options.db.read((tx) => selectCredentialStates(tx, ids));
    const found = new Map(rows.map(({ id, ...state }) => [id, state]));
    for (const id of ids) this.note(id, found.get(id) ?? DELETED);
  }
}
