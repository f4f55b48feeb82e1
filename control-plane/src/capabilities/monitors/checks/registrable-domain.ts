import { getDomain } from 'tldts';

/**
 * The name that somebody registered to own `host`, by the Public Suffix List with its private section:
 * `shop.example.co.uk` gives `example.co.uk`, `a.github.io` gives itself. An address, a single label and a public
 * suffix have no owner above them and are given back, in lower case.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase();
}
