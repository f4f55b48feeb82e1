import { DAY_MS } from '@watchpost/shared/time';
import type { ListPage, Tx } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import { READ_ALERTS, readDeliveryTroubles } from '../delivery/index.js';
import { findReachTroubles, readNotified } from '../paging/index.js';
import { countOpenByHour, readOpenIncidents } from '../incidents/index.js';
import { readLocationStates } from '../fleet/index.js';
import { countMonitors } from '../monitors/index.js';
import { readWorkspaceOnCall, type TeamDutyState } from '../on-call/index.js';
import { workspaceEntitlements } from '../plans/index.js';
import { readRegionTrust } from '../verdicts/index.js';
import { readReportingRegions, readWorkspaceDay } from '../figures/index.js';
import { decideReporting } from './decide-reporting.js';
import {
  deliveryTroubles,
  installationTroubles,
  locationTroubles,
  orderTroubles,
  reachTroubles,
  regionTroubles,
} from './describe-troubles.js';
import { describeNotified } from './read-incident-notifications.js';
import type { OverviewDeps } from './overview-deps.js';
import {
  type Attention,
  GAP_DAYS,
  MAX_ATTENTION,
  type Overview,
  type TeamDuty,
  type Trouble,
} from './overview-schemas.js';

const READ_INCIDENTS = ['monitor.admin', 'incident.read'];
const READ_ACCOUNT = ['account.read'];

/**
 * The state of a workspace on one screen: is anything broken, does somebody know, can we see? The number of statements
 * depends neither on the number of monitors nor on that of incidents or teams.
 */
export async function readOverview(
  deps: OverviewDeps,
  { workspace: { workspaceId, role }, caller }: Actor,
): Promise<Overview> {
  const nowMs = deps.clock.now();
  const may = (accepted: readonly string[]) => scopesAllow(caller.scopes, accepted);
  const [mayIncidents, mayAccount, mayAlerts] = [may(READ_INCIDENTS), may(READ_ACCOUNT), may(READ_ALERTS)];
  return deps.db.read(async (connection) => {
    const tx = keptStatements(connection);
    const entitlements = await workspaceEntitlements(tx, workspaceId);
    const { counts, regions } = await countMonitors(tx, workspaceId, entitlements, nowMs);
    const states = regions.length === 0 ? [] : await readRegionTrust(tx, regions, nowMs);
    const open = await readAttention(tx, workspaceId, nowMs, mayIncidents);
    const teams = await readWorkspaceOnCall(tx, workspaceId, entitlements, nowMs, nowMs + GAP_DAYS * DAY_MS);
    const troubles: Trouble[] = [...regionTroubles(workspaceId, states), ...installationTroubles(deps)];
    if (roleAllows(role, 'Admin'))
      troubles.push(...locationTroubles(workspaceId, await readLocationStates(tx, workspaceId, nowMs)));
    if (mayAlerts) {
      troubles.push(...deliveryTroubles(workspaceId, await readDeliveryTroubles(tx, workspaceId, nowMs)));
      troubles.push(...reachTroubles(workspaceId, await findReachTroubles(deps, tx, workspaceId, teams)));
    }
    return {
      at: iso(nowMs),
      counts,
      attention: open.items,
      attentionTotal: open.total,
      openByHour: await countOpenByHour(tx, workspaceId, nowMs, 24),
      lastDay: describeDay(await readWorkspaceDay(tx, workspaceId, nowMs)),
      onCall: mayAccount ? teams.map(describeDuty) : [],
      regions: states.map(({ region, state, sinceMs }) => ({ region, state, since: isoOrNull(sinceMs) })),
      troubles: orderTroubles(troubles),
      omitted: [
        ...(mayIncidents ? [] : ['incident.read' as const]),
        ...(mayAccount ? [] : ['account.read' as const]),
        ...(mayAlerts ? [] : ['alert.read' as const]),
      ],
    };
  });
}

async function readAttention(
  tx: Tx,
  workspaceId: string,
  nowMs: number,
  withPeople: boolean,
): Promise<ListPage<Attention>> {
  const { items, total } = await readOpenIncidents(tx, workspaceId, nowMs, MAX_ATTENTION);
  if (items.length === 0) return { items: [], total };
  const keys = [...new Set(items.map(({ monitorKey }) => monitorKey))];
  const reporting = await readReportingRegions(tx, workspaceId, keys, nowMs);
  const named = withPeople ? items.map(({ incident }) => incident.id) : [];
  const notifiedOf = await readNotified(tx, workspaceId, named, nowMs);
  const described = items.map(({ incident, monitorKey, acknowledgement }): Attention => {
    return {
      incident,
      ...decideReporting(
        incident,
        reporting.filter((one) => one.monitorKey === monitorKey),
      ),
      ...describeNotified(notifiedOf(incident.id)),
      acknowledgement: withPeople ? acknowledgement : null,
    };
  });
  return { items: described, total };
}

function describeDay(found: Awaited<ReturnType<typeof readWorkspaceDay>>): Overview['lastDay'] {
  if (found === null) return null;
  const { untilMs, day, unknown, hours } = found;
  const described = ({ p95Us, ...figures }: typeof day) => ({
    ...figures,
    p95: p95Us === null ? null : Math.round(p95Us / 10) / 100,
  });
  return { until: iso(untilMs), ...described(day), unknown, hours: hours.map(described) };
}

function describeDuty({ teamId, teamName, now, next, gaps, why }: TeamDutyState): TeamDuty {
  return {
    teamId,
    teamName,
    now: now && { userId: now.person.userId, name: nameOf(now.person), until: isoOrNull(now.untilMs) },
    next: next && { userId: next.person.userId, name: nameOf(next.person), from: iso(next.atMs) },
    gaps: gaps.map(({ startMs, endMs }) => ({ start: iso(startMs), end: iso(endMs) })),
    why,
  };
}

function nameOf({ name, email }: { name: string | null; email: string | null }): string | null {
  return name ?? email;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms !== null && Number.isFinite(ms) ? iso(ms) : null;
}
