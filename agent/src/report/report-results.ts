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
  /** Ends reporting. */
  signal: AbortSignal;
  /** How many results the control plane takes in one batch. */
  maxBatchResults(): number;
  onConnection(connected: boolean): void;
  onReconnect(): void;
  onSetAside(sequence: number): void;
  /** So many results were taken and not kept; why, as the wire contract says. */
  onNotKept(count: number, reason: string): void;
  onRefused(message: string, end: SessionEnd): void;
}

const MAX_IN_FLIGHT = 8;

/** Brings the spool's results to the control plane, stream after stream. */
export class ResultReporter {
  private windDown = new AbortController();
  /** The last stream was refused for a result that nobody named: find it by sending one at a time. */
  private oneByOne = false;

  constructor(private readonly options: ReportOptions) {
    options.signal.addEventListener('abort', () => this.reconnect(), { once: true });
  }

  run(): Promise<void> {
    const { logger, signal, onReconnect, onRefused } = this.options;
    return keepSession({ name: 'results', logger, signal, onReconnect, onRefused, session: () => this.session() });
  }

  /** Ends the present stream as soon as all that was sent is acknowledged; the next one goes where the link leads. */
  reconnect(): void {
    this.windDown.abort();
  }

  private async session(): Promise<SessionEnd> {
    const { link, spool, onConnection, onNotKept, maxBatchResults, signal } = this.options;
    this.windDown = new AbortController();
    if (signal.aborted) this.windDown.abort();
    const blocked = await link.prepare();
    if (blocked) return blocked;
    const end = await runResultSession({
      link,
      spool,
      windDown: this.windDown.signal,
      onConnected: () => onConnection(true),
      onNotKept: (refused) => onNotKept(refused.length, refused[0]!.reason),
      maxBatchResults: this.oneByOne ? 1 : maxBatchResults(),
      maxInFlight: this.oneByOne ? 1 : MAX_IN_FLIGHT,
    });
    onConnection(false);
    if (!end.refused) return end;
    const culprit = end.refused.sequence ?? (this.oneByOne ? end.oldestInFlight : undefined);
    this.oneByOne = culprit === undefined;
    if (culprit === undefined) return end;
    spool.setAside(culprit);
    this.options.onSetAside(culprit);
    return { ...end, healthy: true };
  }
}
