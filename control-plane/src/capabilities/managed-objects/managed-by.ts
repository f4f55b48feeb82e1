import { z } from 'zod';

/** The kinds of objects that documents can manage, by the name of their section, in the order in which they can be created. */
export const MANAGED_KINDS = [
  'serviceGroups',
  'actionGroups',
  'monitors',
  'statusPages',
  'maintenanceWindows',
  'teams',
] as const;
export type ManagedKind = (typeof MANAGED_KINDS)[number];

export const managedBySchema = z
  .strictObject({ project: z.string().meta({ example: 'shop' }), key: z.string().meta({ example: 'checkout' }) })
  .meta({
    id: 'ManagedBy',
    description:
      'The project of the configuration document that manages it, and its key there. null: no document does.',
  })
  .nullable();
export type ManagedBy = z.output<typeof managedBySchema>;

/**
 * The column `managedBy` of a statement that reads objects, so that it costs no statement of its own.
 * @param table the table or alias with the columns `workspace_id` and `id` of the object
 */
export function managedByColumn(kind: ManagedKind, table: string): string {
  return `(SELECT jsonb_build_object('project', managed.project, 'key', managed.key) FROM managed_object AS managed
    WHERE managed.workspace_id = ${table}.workspace_id AND managed.kind = '${kind}' AND managed.object_id = ${table}.id) AS "managedBy"`;
}
