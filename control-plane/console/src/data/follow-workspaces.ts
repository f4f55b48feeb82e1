import { effect } from '@preact/signals';
import type { FirstWorkspace } from './first.js';
import { entryOf, putAnswer, watch } from './resources.js';
import { first, workspaces } from './session.js';

/** As many as the first document has. It belongs to the user, and so to no workspace. */
const OWN = ['/api/v1/workspaces?pageSize=200', ''] as const;

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
