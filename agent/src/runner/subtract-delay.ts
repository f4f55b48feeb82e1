import type { ProbeReport, Timings } from '@watchpost/shared/outcome';
import { BLOCKED_SHARE } from './decide-conclusive.js';

/** Smaller delays are usual on a busy machine, and the site can have worked during them. */
const LEAST_DELAY_US = 100_000;

/**
 * The duration of a success without the delays of the event loop, if they are long and a relevant share of it. It is never
 * longer than that of the site: the site can have worked during the delay. The phases are shortened in proportion, because a
 * delay can be part of any of them.
 * @param delayUs of the whole check, which takes `tookUs`: a ping waits between its packets, and steps can have pauses, and the
 * duration, which has none of this, has its share of the delays
 */
export function subtractDelay(
  { totalUs, timings }: Pick<ProbeReport, 'totalUs' | 'timings'>,
  delayUs: number,
  tookUs: number,
): Pick<ProbeReport, 'totalUs' | 'timings'> {
  const sharedUs = tookUs > totalUs ? Math.round((delayUs * totalUs) / tookUs) : delayUs;
  if (totalUs === 0 || sharedUs < Math.max(LEAST_DELAY_US, totalUs * BLOCKED_SHARE)) return { totalUs, timings };
  const ownUs = Math.max(0, totalUs - sharedUs);
  const shorten = (us: number): number => Math.floor((us * ownUs) / totalUs);
  const shortened: Timings = {
    dnsUs: shorten(timings.dnsUs),
    connectUs: shorten(timings.connectUs),
    tlsUs: shorten(timings.tlsUs),
    firstByteUs: shorten(timings.firstByteUs),
    transferUs: shorten(timings.transferUs),
    ...(timings.authUs ? { authUs: timings.authUs } : {}),
  };
  return { totalUs: ownUs, timings: shortened };
}
