/**
 * Messages between processes that may be lost: each listener also polls, more slowly.
 */
export interface BusMessages {
  /** A monitor was made, changed or deleted (after the commit). */
  'monitor-changed': { monitorKey: number };
  /** An agent was revoked, or is to drain: the process that holds its stream acts. */
  'agent-changed': { agentId: string };
  /** Who is connected in a region, who shares its checks, or who has taken over what, is not what it was. */
  'region-changed': { region: string };
}
export type BusTopic = keyof BusMessages;
export const BUS_TOPICS = ['monitor-changed', 'agent-changed', 'region-changed'] as const satisfies BusTopic[];

export interface Bus {
  /** Whether messages of other processes may not arrive now: listeners poll faster meanwhile. */
  readonly deaf: boolean;
  publish<Topic extends BusTopic>(topic: Topic, message: BusMessages[Topic]): void;
  /** @returns a function that ends the subscription */
  subscribe<Topic extends BusTopic>(topic: Topic, handler: (message: BusMessages[Topic]) => void): () => void;
  /**
   * Calls back when `deaf` changes. A listener that hears again reads what it missed.
   * @returns a function that ends the subscription
   */
  onHearing(handler: () => void): () => void;
}

/** The bus of a single process: handlers run in the next turn of the event loop. */
export class LocalBus implements Bus {
  readonly deaf: boolean = false;
  private readonly handlers: { [Topic in BusTopic]: Set<(message: BusMessages[Topic]) => void> } = {
    'monitor-changed': new Set(),
    'agent-changed': new Set(),
    'region-changed': new Set(),
  };

  publish<Topic extends BusTopic>(topic: Topic, message: BusMessages[Topic]): void {
    for (const handler of this.handlers[topic]) setImmediate(() => handler(message));
  }

  subscribe<Topic extends BusTopic>(topic: Topic, handler: (message: BusMessages[Topic]) => void): () => void {
    const handlers = this.handlers[topic];
    handlers.add(handler);
    return () => handlers.delete(handler);
  }

  onHearing(): () => void {
    return () => undefined;
  }
}
