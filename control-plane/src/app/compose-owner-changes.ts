import type { Clock } from '@watchpost/shared/clock';
import { setDeliveriesPaused } from '../capabilities/delivery/index.js';
import {
  attachDefaultGroups,
  detachPurgedGroups,
  copyRecipientAnswers,
  disableGroupsOverLimit,
  addUnaskedRecipients,
  notifyTaggedGroups,
} from '../capabilities/recipients/index.js';
import { closeIncidentsOfMonitors, type MonitorEnding } from '../capabilities/incidents/index.js';
import { revokeKeysOfMember } from '../capabilities/api-keys/index.js';
import {
  deleteMonitorsOfWorkspace,
  type MonitorChange,
  type MonitorListener,
  pauseMonitorsOverLimit,
} from '../capabilities/monitors/index.js';
import { pagingMonitorListener } from '../capabilities/paging/index.js';
import type { PlanListener } from '../capabilities/plans/index.js';
import {
  decideAgain,
  reconsiderOwner,
  reconsiderWorkspace,
  resultsMonitorListener,
} from '../capabilities/verdicts/index.js';
import { coverageMonitorListener, type MaintenanceDeps } from '../capabilities/maintenance/index.js';
import { heartbeatsMonitorListener } from '../capabilities/heartbeats/index.js';
import type { Tx } from '../platform/db/database.js';
import { beforeEnd } from '../platform/db/one-transaction.js';
import { groupBy } from '@watchpost/shared/group-by';
import { unpublishPagesOverLimit } from '../capabilities/status-pages/index.js';
import type { SuspensionListener } from '../capabilities/users/index.js';
import type { WorkspaceListener } from '../capabilities/workspaces/index.js';

/** Listeners to changes of monitors. The operators' commands, which run in a process of their own, need them too. */
export function monitorListeners(deps: { clock: Clock }): MonitorListener[] {
  const closeIncidents: MonitorListener = async (tx, changes, author = 'system') => {
    for (const [ending, ended] of groupBy(changes, endingOf)) {
      if (ending === null) continue;
      for (const [workspaceId, monitors] of groupBy(ended, (change) => change.workspaceId)) {
        const monitorKeys = monitors.map(({ monitorKey }) => monitorKey);
        await closeIncidentsOfMonitors(deps, tx, { workspaceId, monitorKeys }, { ending, author });
      }
    }
  };
  const listeners = [
    resultsMonitorListener(deps),
    heartbeatsMonitorListener(deps),
    closeIncidents,
    pagingMonitorListener(deps),
    notifyTaggedGroups(deps),
    // The end of an incident is sent to the groups that it has.
    detachPurgedGroups(),
  ];
  const runAll = async (tx: Tx, caused: readonly CausedChange[]) => {
    for (const { author, changes } of partsOf(caused)) {
      const inOrder = [...changes.values()].toSorted((a, b) => a.monitorKey - b.monitorKey);
      for (const listener of listeners) await listener(tx, inOrder, author);
    }
  };
  const runAtEnd: MonitorListener = (tx, changes, author) =>
    beforeEnd(
      tx,
      changes.map((change) => ({ change, author })),
      runAll,
    );
  const all: MonitorListener[] = [attachDefaultGroups(deps), runAtEnd];
  all.push(coverageMonitorListener({ ...deps, listeners: all, onCoverageChanged: decideCoveredAgain(deps) }));
  return all;
}

/** Lets the verdicts of monitors be decided again that a window began or ceased to cover. */
export function decideCoveredAgain(deps: { clock: Clock }): MaintenanceDeps['onCoverageChanged'] {
  return (tx, workspaceId, monitorKeys) => beforeEnd(tx, [], () => decideAgain(deps, tx, workspaceId, monitorKeys));
}

interface CausedChange {
  change: MonitorChange;
  author: Parameters<MonitorListener>[2];
}

/** How a change ends the incidents of its monitor; null where it does not. */
function endingOf({ kind, stoppedAs = 'paused' }: MonitorChange): MonitorEnding | null {
  if (kind === 'deleted') return kind;
  return kind === 'stopped' ? stoppedAs : null;
}

/** Divides changes, in their order: each part has one author, and each monitor at most once. */
function partsOf(caused: readonly CausedChange[]) {
  const parts: { author: CausedChange['author']; changes: Map<number, MonitorChange> }[] = [];
  for (const { change, author } of caused) {
    const last = parts.at(-1);
    const joins = last?.author === author && !last?.changes.has(change.monitorKey);
    if (last && joins) last.changes.set(change.monitorKey, change);
    else parts.push({ author, changes: new Map([[change.monitorKey, change]]) });
  }
  return parts;
}

/**
 * What a plan no longer covers stops: monitors and action groups over its numbers are paused and disabled here;
 * types, regions and timeouts are left out where checks are made, and a trigger gives the owner's monitors a new
 * revision for that.
 */
export function planListeners(deps: { clock: Clock }): PlanListener[] {
  const monitors = { ...deps, listeners: monitorListeners(deps) };
  return [
    async (tx, userId, entitlements) => void (await pauseMonitorsOverLimit(monitors, tx, userId, entitlements)),
    (tx, userId) => reconsiderOwner(deps, tx, userId),
    (tx, userId, entitlements) => disableGroupsOverLimit(deps, tx, userId, entitlements),
    // A plan decides who confirms only where the operator does not have everybody confirm.
    (tx, userId) => addUnaskedRecipients({ ...deps, recipientVerification: 'unpaid' }, tx, userId),
  ];
}

/** What becomes of the things in a workspace when it changes as a whole. */
export function workspaceListeners(deps: { clock: Clock }): WorkspaceListener[] {
  const monitors = { ...deps, listeners: monitorListeners(deps) };
  const onPlan = planListeners(deps);
  return [
    async (tx, change) => {
      switch (change.kind) {
        case 'verdictSettingsChanged':
          return reconsiderWorkspace(deps, tx, change.workspaceId);
        case 'transferred':
          await copyRecipientAnswers(deps, tx, change.workspaceId, change.formerOwnerId);
          for (const listener of onPlan) await listener(tx, change.ownerId, change.entitlements);
          return unpublishPagesOverLimit(deps, tx, change.ownerId);
        case 'memberLeaving':
          return revokeKeysOfMember(deps, tx, change.by, change);
        case 'deleting':
          return deleteMonitorsOfWorkspace(monitors, tx, change.workspaceId);
      }
    },
  ];
}

/** What else rests while an owner is suspended: checks and pages look at the account themselves. */
export function suspensionListeners(deps: { clock: Clock }): SuspensionListener[] {
  return [(tx, ownerId, isSuspended) => setDeliveriesPaused(deps, tx, ownerId, isSuspended)];
}
