import { createHash } from 'node:crypto';
import { Fault } from '@watchpost/shared/fault';
import { canonicalJson } from '@watchpost/shared/canonical-json';

const TAGS = /(?:^|,)[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")(?=[ \t]*(?:,|$))/g;

/** The strong `ETag` of a resource: a digest of its canonical JSON (RFC 9110 §8.8.3). */
export function entityTag(resource: unknown): string {
  return `"${createHash('sha256').update(canonicalJson(resource)).digest('base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` names this tag; weak comparison, as RFC 9110 §13.1.2 asks. */
export function noneMatchHolds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (text: string) => text.replace(/^W\//, '');
  return header.trim() === '*' || tagsIn(header).some((given) => opaque(given) === opaque(tag));
}

/**
 * Checks `If-Match` (strong comparison, RFC 9110 §13.1.1) and `If-None-Match: *` before a write.
 * @param current the resource as a GET would answer it now; undefined or null where there is none
 * @throws Fault `precondition_failed`
 */
export function requirePrecondition(
  headers: { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined },
  current: unknown,
): void {
  const exists = current !== undefined && current !== null;
  if (headers['if-none-match']?.trim() === '*' && exists) throw changed();
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined) return;
  const holds = exists && (ifMatch.trim() === '*' || tagsIn(ifMatch).includes(entityTag(current)));
  if (!holds) throw changed();
}

function tagsIn(header: string): string[] {
  return Array.from(header.matchAll(TAGS), (match) => match[1]!);
}

function changed(): Fault {
  return new Fault(
    'precondition_failed',
    'The resource has changed since you read it; get it again and repeat the change.',
  );
}
