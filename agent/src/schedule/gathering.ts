import { usesTls, type CheckSpec } from '@watchpost/shared/check';

/** A check waits for others for a tenth of a second at most, and for a shorter time at higher rates. Each time divides a second, and so every interval: the lag of a check stays the same, which costs nothing where it is stored. */
const WAITS_MS = [100, 50, 25, 20, 10, 5, 4, 2, 1] as const;
/** About so many checks begin one after the other. */
const TOGETHER = 8;
/** The time between two of them: about what a check takes whose site is near, so that none is delayed by another. */
const APART_MS = { plain: 1, tls: 3 };
/** The share of the time until the next group in which all checks of a group begin. */
const BEGUN_WITHIN = 0.5;

/**
 * Gathers checks that are due within a tenth of a second, and begins them one shortly after the other. A check that comes alone finds
 * nothing in the processor's caches and costs up to twice as much, which its site's times contain, too (docs/decisions/0104).
 */
export class Gathering {
  private perMs = 0;
  private waitMs: number = WAITS_MS[0];

  add({ intervalMs }: CheckSpec): void {
    this.changeRate(1 / intervalMs);
  }

  remove({ intervalMs }: CheckSpec): void {
    this.changeRate(-1 / intervalMs);
  }

  /** When the group of a scheduled time begins, ms since the epoch. */
  startOf(scheduledAtMs: number): number {
    return Math.ceil(scheduledAtMs / this.waitMs) * this.waitMs;
  }

  /** The next check waits so many ms after one that has just begun; `waiting` is the number of those that are due. */
  apartMs({ target }: CheckSpec, waiting: number): number {
    return Math.floor(
      Math.min(usesTls(target) ? APART_MS.tls : APART_MS.plain, (this.waitMs * BEGUN_WITHIN) / waiting),
    );
  }

  private changeRate(byPerMs: number): void {
    this.perMs += byPerMs;
    this.waitMs = WAITS_MS.find((waitMs) => waitMs * this.perMs <= TOGETHER) ?? 1;
  }
}
