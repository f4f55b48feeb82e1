import { notFound } from '@watchpost/shared/fault';
import type { ActionGroup } from './action-group.js';
import type { CountedGroupRow } from './action-group-store.js';

/** A group as it is shown. @throws Fault not_found where there is no row */
export function describeActionGroup(row: CountedGroupRow | undefined): ActionGroup {
  if (!row) throw notFound('action group');
  const { created, lastModified, settings, ...rest } = row;
  return { ...rest, ...settings, created: created.toISOString(), lastModified: lastModified.toISOString() };
}
