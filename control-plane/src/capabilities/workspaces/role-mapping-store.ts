import type { Tx } from '../../platform/db/database.js';
import type { RoleMapping } from './decide-mapped-role.js';
import type { MemberRow } from './member-store.js';

/** More than a person has. */
const MAX_MAPPED = 1_000;

interface Mapped {
  workspaceId: string;
  mapping: RoleMapping;
  /** null where the user is no member. */
  member: Pick<MemberRow, 'role' | 'status' | 'roleSource'> | null;
}

/** Without a tenant: finds the workspaces that map a value of a person's claim, and those that the person belongs to by a mapping. */
export async function findMapped(tx: Tx, userId: string, values: readonly string[]): Promise<Mapped[]> {
  return tx.query<Mapped>(
    `SELECT workspace.id AS "workspaceId", role_mapping AS mapping, CASE WHEN member.id IS NOT NULL THEN
         jsonb_build_object('role', role, 'status', status, 'roleSource', role_source) END AS member
     FROM (SELECT id FROM workspace WHERE role_mapping <> '{}' AND role_mapping ?| $2::text[]
       UNION SELECT workspace_id FROM workspace_member WHERE user_id = $1 AND role_source = 'claim'
       LIMIT ${MAX_MAPPED}) AS concerned
     JOIN workspace USING (id)
     LEFT JOIN workspace_member member ON member.workspace_id = workspace.id AND member.user_id = $1
     ORDER BY workspace.id`,
    [userId, values],
  );
}
