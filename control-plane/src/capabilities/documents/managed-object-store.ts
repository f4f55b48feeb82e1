import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';
import type { Section } from '../../platform/documents/document-section.js';

export interface ManagedObject {
  project: string;
  kind: Section;
  key: string;
  objectId: string;
}

const COLUMNS = 'project, kind, key, object_id AS "objectId"';

/** Which objects documents manage, by workspace. An object that was deleted since may still be here. */
export const managedObjectStore = {
  /** Keeps other documents of the workspace from being applied until the transaction ends. */
  async lock(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('managed_object ' || $1, 0))`, [workspaceId]);
  },

  async all(workspaceId: string, tx: Tx): Promise<ManagedObject[]> {
    return tx.query<ManagedObject>(`SELECT ${COLUMNS} FROM managed_object WHERE workspace_id = $1 ORDER BY kind, key`, [
      workspaceId,
    ]);
  },

  /** Adds objects. What the project or another one had by this key, or of this object, is replaced. */
  async put(
    workspaceId: string,
    tx: Tx,
    project: string,
    objects: readonly Omit<ManagedObject, 'project'>[],
  ): Promise<void> {
    if (objects.length === 0) return;
    const values = [workspaceId, ...valuesOf(objects, 'kind', 'key', 'objectId')];
    await tx.query(
      `DELETE FROM managed_object USING unnest($2::text[], $3::text[], $4::uuid[]) AS added (kind, key, object_id)
       WHERE managed_object.workspace_id = $1 AND managed_object.kind = added.kind
         AND (managed_object.object_id = added.object_id OR managed_object.project = $5 AND managed_object.key = added.key)`,
      [...values, project],
    );
    await tx.query(
      `INSERT INTO managed_object (workspace_id, kind, key, object_id, project)
       SELECT $1, kind, key, object_id, $5 FROM unnest($2::text[], $3::text[], $4::uuid[]) AS added (kind, key, object_id)`,
      [...values, project],
    );
  },

  /** @returns how many were managed */
  async remove(
    workspaceId: string,
    tx: Tx,
    project: string,
    objects: readonly { kind: Section; key: string }[],
  ): Promise<number> {
    return tx.execute(
      `DELETE FROM managed_object USING unnest($3::text[], $4::text[]) AS removed (kind, key)
       WHERE workspace_id = $1 AND project = $2 AND managed_object.kind = removed.kind AND managed_object.key = removed.key`,
      [workspaceId, project, ...valuesOf(objects, 'kind', 'key')],
    );
  },
};
