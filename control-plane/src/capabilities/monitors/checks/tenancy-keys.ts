import { createHash } from 'node:crypto';
import { hostOfTarget, type ProbeTarget } from '@watchpost/shared/check';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Tenancy } from '@watchpost/shared/fair-share';
import { registrableDomain } from './registrable-domain.js';

/** The anonymous check's: all strangers together are one owner. */
export const PUBLIC_OWNER = 'public';

const KEY_BYTES = 8;
const CACHED = 20_000;
const keys = new BoundedCache<string, string>(CACHED);

/**
 * By what agents share their capacity: the owner of a check and the site that it goes to, each as 64 bits of a hash. The
 * same in every process and for good; an owner is all workspaces of one person, a site is all below one registrable
 * domain. A key tells an agent nothing about a person: user ids hold 74 random bits, which nobody can try out.
 */
export function tenancyOf(ownerId: string, target: ProbeTarget): Tenancy {
  return { ownerKey: keyOf('owner', ownerId), siteKey: keyOf('site', hostOfTarget(target)) };
}

function keyOf(kind: 'owner' | 'site', name: string): string {
  const question = `${kind} ${name}`;
  let key = keys.get(question);
  if (key === undefined) {
    const plain = kind === 'site' ? `site ${registrableDomain(name)}` : question;
    key = createHash('sha256').update(plain).digest().subarray(0, KEY_BYTES).toString('base64url');
    keys.set(question, key);
  }
  return key;
}
