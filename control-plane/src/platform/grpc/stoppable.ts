/** A stream that the server can end: it finishes running work, and the agent is sent the reason and reconnects. */
export interface Stoppable {
  stop(reason: string): Promise<void>;
}
