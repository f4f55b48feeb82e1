import { domainToASCII } from 'node:url';

const MOST = 254;
// RFC 5321 §4.1.2 without quoted local parts and address literals; non-ASCII characters by RFC 6531.
const LOCAL = /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}\p{Surrogate}.](?:\.?[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}\p{Surrogate}.])*$/u;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

export interface EmailAddress {
  address: string;
  /** The key, equal for all spellings. */
  key: string;
}

/** @returns undefined if mail cannot be sent to the text */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const [local, domain] = [trimmed.slice(0, at), domainToASCII(trimmed.slice(at + 1)).toLowerCase()];
  if (at < 1 || at > 64 || trimmed.length > MOST || !LOCAL.test(local) || !DOMAIN.test(domain)) return undefined;
  const address = `${local}@${domain}`;
  return { address, key: address.toLowerCase() };
}
