import { checkCode } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';

/** More checks than this that fail at once, and the first good result of some of them comes half a second later. */
const MOST_FAILING = 100_000;

/** For which results somebody waits: what is not fine, the first that is fine again, and the first after a change. */
export class Urgency {
  private readonly failing = new Set<number>();

  /** Whether the check was not fine before, of those that are remembered. */
  isFailing({ key }: Pick<CheckResult, 'key'>): boolean {
    return this.failing.has(checkCode(key));
  }

  /** @param isFirst of a check that was made or changed just now */
  isUrgent({ key, outcome }: CheckResult, isFirst: boolean): boolean {
    if (outcome.kind === 'up') return isFirst || (this.failing.size > 0 && this.failing.delete(checkCode(key)));
    if (this.failing.size < MOST_FAILING) this.failing.add(checkCode(key));
    return true;
  }
}
