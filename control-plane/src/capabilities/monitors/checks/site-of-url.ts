import { placeOfUrl } from '../settings/monitor-url.js';
import { registrableDomain } from './registrable-domain.js';

/** What stands behind a monitor's URL: the registrable domain of its host, or the host where it is an address. */
export function siteOfUrl(url: string): string {
  return registrableDomain(placeOfUrl(url)?.host ?? url);
}
