import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { FairShare } from '@watchpost/shared/fair-share';
import { Fault } from '@watchpost/shared/fault';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Dispatcher } from 'undici';
import { fetchBounded } from '../../platform/http/fetch-bounded.js';
import { onOwnThread, TooComplex } from '../../platform/jobs/own-thread.js';
import type { HolidaysRead } from './read-holidays.js';

const BOUNDS = { accept: 'text/calendar', mostBytes: 1024 * 1024 };
/** A preview and the change after it read a calendar once. */
const KEPT_MS = MINUTE_MS;
const MOST_KEPT = 100;
/** Calendars that are read at a time, of up to 1 MiB each. */
const AT_A_TIME = 64;

export interface HolidayCalendarDeps {
  clock: Clock;
  /** Applies the egress policy. */
  dispatcher: Dispatcher;
  /** The faults of a URL under the egress policy, each as the end of a sentence. */
  urlFaults: (url: string) => string[];
}

/** Reads calendars of holidays from the servers of others. */
export class HolidayCalendars {
  readonly #read = new BoundedCache<string, { atMs: number; read: Promise<HolidaysRead> }>(MOST_KEPT);

  readonly #reading = new FairShare(AT_A_TIME);

  constructor(private readonly deps: HolidayCalendarDeps) {}

  /** The faults of a URL, each as the end of a sentence. It is not connected to. */
  urlFaults(url: string): string[] {
    return this.deps.urlFaults(url);
  }

  /**
   * The holidays of a calendar from the beginning of the last year to the end of the one after the next, so that they change
   * with the calendar and the year, and not with the day.
   * @throws Fault `unavailable` where the owner has too many read at a time, or too many wait to be taken apart
   */
  async read(url: string, ownerId: string): Promise<HolidaysRead> {
    const nowMs = this.deps.clock.now();
    const key = `${ownerId} ${url}`;
    const kept = this.#read.get(key);
    if (kept && nowMs - kept.atMs < KEPT_MS) return kept.read;
    if (this.#reading.refusal({ ownerKey: ownerId }) !== null)
      throw new Fault('unavailable', 'Too many calendars are read at this moment; try again in ten seconds.', [], 10);
    const slot = this.#reading.take({ ownerKey: ownerId });
    const year = new Date(nowMs).getUTCFullYear();
    const read = this.#fetch(url, ownerId, year).finally(() => this.#reading.giveBack(slot));
    this.#read.set(key, { atMs: nowMs, read });
    // A failure of this process is not kept.
    read.catch(() => this.#read.delete(key));
    return read;
  }

  async #fetch(url: string, ownerId: string, year: number): Promise<HolidaysRead> {
    const [fault] = this.urlFaults(url);
    if (fault !== undefined) return { fault };
    const answer = await fetchBounded(url, this.deps.dispatcher, BOUNDS);
    if (answer.statusCode === null) return { fault: `could not be read: ${answer.why}` };
    if (answer.statusCode !== 200) return { fault: `could not be read: the server answered ${answer.statusCode}` };
    const range = { from: `${year - 1}-01-01`, to: `${year + 2}-12-31` };
    try {
      const module = new URL('./holidays-worker.js', import.meta.url);
      return await onOwnThread<HolidaysRead>(module, { text: answer.body, ...range }, ownerId);
    } catch (error) {
      if (error instanceof TooComplex) return { fault: 'is too complex to read' };
      throw error;
    }
  }
}
