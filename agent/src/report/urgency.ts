import { checkCode } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';

/** Beyond this number of failing checks, the first good result of some comes half a second later. */
const MOST_FAILING = 100_000;

/** Decides which results are sent without delay: every failure, the first success after one, and the first after a change. */
export class Urgency {
  private readonly failing = new Set<number>();

  /** Whether the last known result of the check was a failure. */
  isFailing({ key }: Pick<CheckResult, 'key'>): boolean {
    return this.failing.has(checkCode(key));
  }

  /** @param isFirst whether the check was created or changed just now */
  isUrgent({ key, outcome }: CheckResult, isFirst: boolean): boolean {
    if (outcome.kind === 'up') return isFirst || (this.failing.size > 0 && this.failing.delete(checkCode(key)));
    if (this.failing.size < MOST_FAILING) this.failing.add(checkCode(key));
    return true;
  }
}
