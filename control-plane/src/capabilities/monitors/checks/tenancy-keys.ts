import { createHash } from 'node:crypto';
import { hostOfTarget, type ProbeTarget } from '@watchpost/shared/check';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Tenancy } from '@watchpost/shared/fair-share';
import { registrableDomain } from './registrable-domain.js';

const KEY_BYTES = 8;
const CACHED = 20_000;
const keys = new BoundedCache<string, string>(CACHED);

/**
 * The keys by which agents share their capacity: the owner of a check and its site, each as 64 bits of a hash. They are
 * stable and the same in every process. An owner is all workspaces of one person; a site is everything below one
 * registrable domain. A key reveals nothing about a person, because user ids contain 74 random bits.
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
