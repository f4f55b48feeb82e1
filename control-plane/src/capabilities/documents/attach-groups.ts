import type { Tx } from '../../platform/db/database.js';
import { attachedGroups } from '../recipients/index.js';
import type { CollectedFaults } from './collected-faults.js';
import type { DecidedPlan } from './decide-plan.js';
import type { RunOperation } from './operations.js';
import type { Section } from './sections.js';

/** Attaches action groups to monitors as the document names them. A new monitor has the default groups of the workspace. */
export async function attachGroups(
  tx: Tx,
  workspaceId: string,
  run: RunOperation,
  plan: DecidedPlan,
  idOf: (section: Section, key: unknown) => string,
  faults: CollectedFaults,
): Promise<void> {
  const changes = plan.changes.filter(
    ({ kind, id, action, fields, desired }) =>
      kind === 'monitors' &&
      id !== null &&
      desired?.fields['actionGroups'] !== undefined &&
      (action === 'create' || Object.hasOwn(fields, 'actionGroups')),
  );
  if (changes.length === 0) return;
  const attached = await attachedGroups(tx, workspaceId);
  for (const change of changes) {
    await faults.of(change, 'actionGroups', async () => {
      const keys = change.desired!.fields['actionGroups'] as string[];
      const wanted = new Set(keys.map((key) => idOf('actionGroups', key)));
      const current = new Set(attached.get(change.id!) ?? []);
      const monitorId = change.id!;
      for (const id of wanted) if (!current.has(id)) await run('attachActionGroup', { params: { id, monitorId } });
      for (const id of current) if (!wanted.has(id)) await run('detachActionGroup', { params: { id, monitorId } });
    });
  }
}
