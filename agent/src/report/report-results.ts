import type { Logger } from 'pino';
import type { Spool } from '../spool/spool.js';
import type { ControlPlaneLink } from '../sync/control-plane-link.js';
import type { SessionEnd } from '../sync/decide-retry.js';
import { keepSession } from '../sync/keep-session.js';
import { runResultSession } from './result-session.js';

export interface ReportOptions {
  link: ControlPlaneLink;
  spool: Spool;
  logger: Logger;
  signal: AbortSignal;
  /** The largest batch that the control plane accepts. */
  maxBatchResults(): number;
  onConnection(connected: boolean): void;
  onReconnect(): void;
  /** The control plane can never accept this result. */
  onRejected(sequence: number): void;
  /** Results were acknowledged and not stored; `reason` as in the wire contract. */
  onNotStored(count: number, reason: string): void;
  /** Results that were acknowledged are sent again. */
  onReplay(count: number): void;
  onRefused(message: string, end: SessionEnd): void;
}

const MAX_IN_FLIGHT = 8;

/** Sends the spool to the control plane, stream after stream. */
export class ResultReporter {
  private windDown = new AbortController();
  /** The last stream was refused for an unknown result: sending one at a time finds it. */
  private oneByOne = false;
  private isReplayDue = false;

  constructor(private readonly options: ReportOptions) {
    options.signal.addEventListener('abort', () => this.reconnect(), { once: true });
  }

  run(): Promise<void> {
    const { logger, signal, onReconnect, onRefused } = this.options;
    return keepSession({ name: 'results', logger, signal, onReconnect, onRefused, session: () => this.session() });
  }

  /** Ends the present stream when everything sent is acknowledged; the next one uses the present address of the link. */
  reconnect(): void {
    this.windDown.abort();
  }

  /** Sends the results again that were acknowledged within the time for which the spool keeps them. */
  replay(): void {
    this.isReplayDue = true;
    this.reconnect();
  }

  private async session(): Promise<SessionEnd> {
    const { link, spool, onConnection, onNotStored, onReplay, maxBatchResults, signal } = this.options;
    this.windDown = new AbortController();
    if (signal.aborted) this.windDown.abort();
    const blocked = await link.prepare();
    if (blocked) return blocked;
    // Between two streams: an acknowledgement of the former one would end the replay.
    if (this.isReplayDue) onReplay(spool.rewind());
    this.isReplayDue = false;
    const end = await runResultSession({
      link,
      spool,
      windDown: this.windDown.signal,
      onConnected: () => onConnection(true),
      onNotStored: (refused) => onNotStored(refused.length, refused[0]!.reason),
      maxBatchResults: this.oneByOne ? 1 : maxBatchResults(),
      maxInFlight: this.oneByOne ? 1 : MAX_IN_FLIGHT,
    });
    onConnection(false);
    if (!end.refused) return end;
    const rejected = end.refused.sequence ?? (this.oneByOne ? end.oldestInFlight : undefined);
    this.oneByOne = rejected === undefined;
    if (rejected === undefined) return end;
    spool.skip(rejected);
    this.options.onRejected(rejected);
    return { ...end, healthy: true };
  }
}
