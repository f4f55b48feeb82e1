import type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';

/** @returns the name of the smallest plan that has something; undefined if none has */
export function planWith(products: readonly Product[], has: (plan: Product) => boolean): string | undefined {
  return products.find(has)?.name;
}

/** Why no more extra regions can be chosen; undefined while there is room. */
export function regionsText(products: readonly Product[], plan: string, limit: number | null): string | undefined {
  if (limit === null) return undefined;
  const next = products.find(({ limits }) => (limits.extraRegions ?? Infinity) > limit);
  const own =
    limit === 0
      ? `${plan} checks from the home region alone.`
      : `${plan} has ${limit} further ${limit === 1 ? 'region' : 'regions'}.`;
  if (next === undefined) return own;
  const more = next.limits.extraRegions;
  return `${own} ${next.name} has ${more === null ? 'all' : limit === 0 ? `${more} more` : more}.`;
}
