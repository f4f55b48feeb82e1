import { followServerTime } from '../data/clock.js';
import { putAnswer } from '../data/resources.js';
import { first } from '../data/session.js';
import { chartsAddress, FIRST_PAGE_ADDRESS } from '../data/monitor-addresses.js';

/** Puts the answers that came with the page, so that the first screen asks for nothing. */
export function seedFirstScreen(): void {
  // Before, because an answer from the future would never be old.
  followServerTime(first?.serverTime ?? null);
  if (first?.overview) putAnswer('/api/v1/overview', first.overview);
  const list = first?.monitors;
  if (!list) return;
  putAnswer(FIRST_PAGE_ADDRESS, list.monitors, list.total);
  if (list.monitors.length > 0) putAnswer(chartsAddress(list.monitors.map(({ id }) => id)), list.charts);
}
