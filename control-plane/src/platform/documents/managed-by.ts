import { z } from 'zod';

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
 * @param section the section of documents that has such objects
 * @param table the table or alias with the columns `workspace_id` and `id` of the object
 */
export function managedByColumn(section: string, table: string): string {
  return `(SELECT jsonb_build_object('project', managed.project, 'key', managed.key) FROM managed_object AS managed
    WHERE managed.workspace_id = ${table}.workspace_id AND managed.kind = '${section}' AND managed.object_id = ${table}.id) AS "managedBy"`;
}
