import { notFound, found } from '@watchpost/shared/fault';
import { type ListPage, mapPage, type Rows } from '../../../platform/db/tx.js';
import { viewOf } from '../../../platform/http/view-of.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { showPhoneNumber } from '../../workspaces/index.js';
import type { AlertDeps } from '../alert-deps.js';
import {
  type DeliveryDetail,
  deliverySchema,
  type DeliveryView,
  LATEST_OF,
  type LatestDeliveries,
} from './delivery-schemas.js';
import { type DeliveryFilter, type DeliveryRow, deliveryStore } from '../queue/delivery-store.js';

/** Lists the deliveries of a group, newest first. @throws Fault not_found */
export async function listDeliveries(
  deps: Pick<AlertDeps, 'db'>,
  actor: Actor,
  groupId: string,
  page: Rows,
): Promise<ListPage<DeliveryView>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (!(await deliveryStore.group(workspaceId, tx, groupId))) throw notFound('action group');
    return mapPage(await deliveryStore.listOfGroup(workspaceId, tx, groupId, page), describeDelivery);
  });
}

/** Lists the deliveries of the workspace, newest first: of groups, tests and people. */
export async function listWorkspaceDeliveries(
  deps: Pick<AlertDeps, 'db'>,
  actor: Actor,
  filter: DeliveryFilter,
  page: Rows,
): Promise<ListPage<DeliveryView>> {
  const { items: rows, total } = await deps.db.read((tx) =>
    deliveryStore.list(actor.workspace.workspaceId, tx, filter, page),
  );
  const items = rows.map((row) => {
    const view = describeDelivery(row);
    return { ...view, destination: showDestination(view, actor) };
  });
  return { items, total };
}

/** One delivery with its attempts. @throws Fault not_found */
export async function readDelivery(deps: Pick<AlertDeps, 'db'>, actor: Actor, id: string): Promise<DeliveryDetail> {
  const row = found(await deps.db.read((tx) => deliveryStore.find(actor.workspace.workspaceId, tx, id)), 'delivery');
  const { attemptLog, ...delivery } = row;
  const view = describeDelivery(delivery);
  return { ...view, destination: showDestination(view, actor), attemptLog };
}

/** The latest delivery of each of these groups, and its latest failure. Two statements. */
export async function readLatestDeliveries(
  deps: Pick<AlertDeps, 'db'>,
  actor: Actor,
  groupIds: readonly string[],
): Promise<LatestDeliveries[]> {
  const found = await deps.db.read((tx) => deliveryStore.latest(actor.workspace.workspaceId, tx, groupIds, LATEST_OF));
  return found.map(({ groupId, latest, latestFailed }) => ({
    actionGroupId: groupId,
    latest: latest && describeDelivery(latest),
    latestFailed: latestFailed && describeDelivery(latestFailed),
  }));
}

/** Recipients of groups are settings that every member reads; the number of a person is not. */
function showDestination({ destination, channel, actionGroupId, userId }: DeliveryView, actor: Actor): string {
  if (channel !== 'sms' || actionGroupId !== null) return destination;
  return showPhoneNumber(destination, userId ?? '', actor);
}

export function describeDelivery(row: DeliveryRow): DeliveryView {
  return viewOf(deliverySchema, { ...row, userId: pagedUserOf(row.purpose), destination: row.address });
}

/** The purpose of a page is `page:{step}:{userId}`. */
function pagedUserOf(purpose: string): string | null {
  const [kind, , userId] = purpose.split(':');
  return kind === 'page' && userId ? userId : null;
}
