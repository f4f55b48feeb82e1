import type { Severity } from '@watchpost/shared/incident-types';
import type { Tx } from '../../platform/db/database.js';
import { channelOf } from '../channels/index.js';
import { wholeRules } from '../group-settings/index.js';
import { hoursBeginAt } from '../delivery/index.js';
import { type GroupReach, reachStore } from './reach-store.js';
import type { ReachDeps } from './read-reachable.js';

/** An action group that a step of a policy names, and whether anybody hears of it. */
export type PageableGroup = Pick<GroupReach, 'id' | 'name' | 'type' | 'rules'> & { hears: boolean };

/** The action groups with these ids that exist, by id. */
export async function readPageableGroups(
  deps: ReachDeps,
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PageableGroup>> {
  if (ids.length === 0) return new Map();
  const groups = await reachStore.groups(workspaceId, tx, deps.recipientVerification === 'always', ids);
  return new Map(groups.map((group) => [group.id, { ...group, hears: hears(group, deps) }]));
}

/** True if a message to a group reaches anybody. */
export function hears({ isEnabled, type, destinations, allowed }: GroupReach, { hasSms }: ReachDeps): boolean {
  const { outlet, consent } = channelOf(type);
  if (!isEnabled || destinations === 0 || (outlet === 'sms' && !hasSms)) return false;
  return !consent || allowed > 0;
}

/** Why a group cannot be paged at a time, as a sentence; null if it can. */
export function whyNotPaged(
  { name, rules, hears: isHeard }: PageableGroup,
  severity: Severity,
  atMs: number,
): string | null {
  const { severities, hours } = wholeRules(rules);
  if (!isHeard) return `The channel "${name}" notifies nobody now.`;
  if (!severities.includes(severity)) return `The channel "${name}" is not notified of incidents of this severity.`;
  if (hoursBeginAt(hours, atMs) === null) return null;
  return `The channel "${name}" is outside its hours${hours!.outside === 'hold' ? ', and is notified when they begin' : ''}.`;
}
