import { followServerTime } from './clock.js';
import { putAnswer, entryOf, watch } from './resources.js';
import { first, type FirstWorkspace, workspaces } from './session.js';
import { FIRST_SCREEN } from '@watchpost/shared/first-screen';
import { chartsAddress, FIRST_PAGE_ADDRESS, GROUPS_PATH, groupsQuery, queryText } from './address.js';
import { effect } from '@preact/signals';

/** Puts the answers that came with the page, so that the first screen asks for nothing. */
export function seedFirstScreen(): void {
  // Before, because an answer from the future would never be old.
  followServerTime(first?.serverTime ?? null);
  if (first?.overview) putAnswer('/api/v1/overview', first.overview);
  if (first?.groups) {
    const { by, items, total } = first.groups;
    putAnswer(`${GROUPS_PATH}${queryText(groupsQuery(by))}`, items, total);
  }
  const list = first?.monitors;
  if (!list) return;
  putAnswer(FIRST_PAGE_ADDRESS, list.monitors, list.total);
  if (list.monitors.length > 0) putAnswer(chartsAddress(list.monitors.map(({ id }) => id)), list.charts);
}

/** It belongs to the user, and so to no workspace. */
const OWN = [`/api/v1/workspaces${queryText({ pageSize: FIRST_SCREEN.workspaces })}`, ''] as const;

/** Keeps the workspaces current: others may change the user's role in one, its plan and its name. */
export function followWorkspaces(): void {
  if (first === undefined) return;
  putAnswer(OWN[0], first.workspaces, null, OWN[1]);
  const entry = entryOf(...OWN);
  watch(entry);
  effect(() => {
    const list = entry.answer.value!.body as FirstWorkspace[];
    workspaces.value = list.map(({ id, name, role, plan }) => ({ id, name, role, plan }));
  });
}
