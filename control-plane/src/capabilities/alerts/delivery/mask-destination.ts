import { parseUrl } from '@watchpost/shared/parse-url';
import type { ActionGroupType } from '../action-group.js';
import { maskUrl } from '../webhook-url.js';

/**
 * Masks a destination for the timeline of an incident: readers can distinguish destinations without seeing them in
 * full.
 */
export function maskDestination(channel: ActionGroupType, address: string): string {
  switch (channel) {
    case 'email':
      return `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;
    case 'sms':
      return `${address.slice(0, 3)}***${address.slice(-2)}`;
    case 'webhook':
      return parseUrl(address) ? maskUrl(address) : '***';
    case 'slack':
    case 'teams':
      return address;
  }
}
