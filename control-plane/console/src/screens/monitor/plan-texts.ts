import type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';
import { countText } from '../../parts/format.js';

/** @returns the name of the smallest plan that has something; undefined if none has */
export function planWith(products: readonly Product[], has: (plan: Product) => boolean): string | undefined {
  return products.find(has)?.name;
}

/** Why no more extra regions can be chosen; undefined while there is room. */
export function regionsText(products: readonly Product[], plan: string, limit: number | null): string | undefined {
  if (limit === null) return undefined;
  const next = products.find(({ limits }) => (limits.extraRegions ?? Infinity) > limit);
  const own =
    limit === 0 ? `${plan} checks from the home region only` : `Up to ${countText(limit, 'more region')} on ${plan}`;
  return next === undefined ? `${own}.` : `${own}, up to ${next.limits.extraRegions ?? 'all'} more on ${next.name}.`;
}
