import { groupBy } from '@watchpost/shared/group-by';
import { IndependentCount, type Keyed } from './independent-count.js';

/** So many sites that share neither owner nor domain nor network give the same answer for a reason that they have in common. */
export const FEWEST_ALIKE = 3;

/** A complete answer that is not verified, from which a failure follows that began lately. */
export interface SiteAnswer {
  owner: string;
  site: string;
  /** Of the address that answered, a /24 or a /48. */
  network: string | null;
  digest: number;
}

/** The digests of answers that a device on the way may have given for all sites: they are no evidence of what a site does. */
export function decideLookAlikes(answers: readonly SiteAnswer[]): number[] {
  const byDigest = groupBy(answers, ({ digest }) => digest);
  return [...byDigest].filter(([, own]) => independentSites(own) >= FEWEST_ALIKE).map(([digest]) => digest);
}

function independentSites(answers: readonly SiteAnswer[]): number {
  const count = new IndependentCount<Keyed>();
  for (const { owner, site, network } of answers)
    count.add({ keys: [`owner ${owner}`, `site ${site}`, ...(network === null ? [] : [`network ${network}`])] });
  return count.size;
}
