import type { Tx } from '../../../platform/db/database.js';
import type { Lender } from '../../group-settings/index.js';
import type { ContactMethodType } from '../../workspaces/index.js';

export const contactMethodStore = {
  async find(
    workspaceId: string,
    tx: Tx,
    id: string,
  ): Promise<{ type: ContactMethodType; address: string; lender: Lender | null } | undefined> {
    const row = await tx.one<{ type: ContactMethodType; address: string } & (Lender | { [Key in keyof Lender]: null })>(
      `SELECT method.type, method.address, g.id, g.settings, g.secrets FROM contact_method method
       LEFT JOIN action_group g ON g.workspace_id = $1 AND g.id = method.lender_id
       WHERE method.workspace_id = $1 AND method.id = $2`,
      [workspaceId, id],
    );
    if (!row) return undefined;
    const { type, address, ...lender } = row;
    return { type, address, lender: lender.id === null ? null : lender };
  },
};
