import type { Clock } from '@watchpost/shared/clock';
import { isWithin } from '@watchpost/shared/clock';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { PeriodicTask } from '../jobs/periodic-task.js';
import { metricsOn } from '@watchpost/shared/metrics-on';

const CALL_EVERY_MS = MINUTE_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** An older judgement proves nothing. */
const JUDGED_WITHIN_MS = 3 * MINUTE_MS;
const ANSWER_WITHIN_MS = 10 * SECOND_MS;

export interface WatchdogOptions {
  /** Called with GET, each minute. */
  url: string;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Whether messages that are due have not been sent for minutes. */
  areDeliveriesStuck: () => Promise<boolean>;
}

/**
 * A dead man's switch: another service, which is called each minute, reports when the calls cease. They are made while checks
 * are judged and deliveries leave, by the process that judges, and not merely while it lives.
 */
export class Watchdog {
  #judged: { atMs: number; isBlind: boolean } | null = null;
  #calledMs = -Infinity;
  #trouble: string | null = null;
  readonly #count;

  constructor(private readonly options: WatchdogOptions) {
    this.#count = metricsOn(options.registry).countedBy(
      'outcome',
      ['called', 'withheld', 'failed'],
      'watchpost_watchdog_calls_total',
      'Calls of WATCHDOG_URL, by outcome; withheld: checks are not judged, or deliveries do not leave.',
    );
  }

  readonly task: PeriodicTask = { name: 'call_watchdog', everyMs: LOOK_EVERY_MS, run: () => this.look() };

  /** All checks were looked at. @param stale those whose next result is overdue */
  judged({ checks, stale }: { checks: number; stale: number }): void {
    this.#judged = { atMs: this.options.clock.now(), isBlind: stale * 2 > checks };
  }

  /** Calls where that is due and nothing speaks against it. */
  async look(): Promise<void> {
    const { clock, areDeliveriesStuck } = this.options;
    const nowMs = clock.now();
    // Another process judges, and calls.
    if (!this.#judged || isWithin(CALL_EVERY_MS, nowMs, this.#calledMs)) return;
    this.#calledMs = nowMs;
    if (!isWithin(JUDGED_WITHIN_MS, nowMs, this.#judged.atMs)) {
      this.#judged = null;
      return this.#withhold('no check was judged for three minutes');
    }
    if (this.#judged.isBlind) return this.#withhold('more than half of the checks are overdue');
    if (await areDeliveriesStuck()) return this.#withhold('messages that are due have not been sent for three minutes');
    await this.#call();
  }

  async #call(): Promise<void> {
    try {
      const response = await fetch(this.options.url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      this.#count('called');
      if (this.#trouble !== null) this.options.logger.info('the watchdog is called again');
      this.#trouble = null;
    } catch (error) {
      this.#count('failed');
      // The address is a credential, and these messages do not contain it.
      const { cause, message } = error as Error;
      this.#report(`WATCHDOG_URL cannot be called: ${cause instanceof Error ? cause.message : message}`);
    }
  }

  #withhold(why: string): void {
    this.#count('withheld');
    this.#report(`the watchdog is not called: ${why}`);
  }

  /** Logs the first of a series. */
  #report(trouble: string): void {
    if (trouble !== this.#trouble) this.options.logger.error(trouble);
    this.#trouble = trouble;
  }
}
