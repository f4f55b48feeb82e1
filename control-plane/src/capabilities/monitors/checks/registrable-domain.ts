import { getDomain } from 'tldts';
import { placeOfUrl } from '../settings/monitor-url.js';

/**
 * The registrable domain of `host` by the Public Suffix List with its private section: `shop.example.co.uk` gives
 * `example.co.uk`, `a.github.io` gives itself. Addresses, single labels and public suffixes are returned in lower case.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase();
}

/** The site of a monitor: the registrable domain of its URL's host, or the host where it is an address. */
export function siteOfUrl(url: string | null): string {
  if (url === null) return '';
  return registrableDomain(placeOfUrl(url)?.host ?? url);
}
