import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { MessageHandle } from '../../../platform/mail/send-outcome.js';

export interface ChannelMessage {
  workspaceId: string;
  incidentId: string;
  groupId: string;
  handle: MessageHandle;
  at: Date;
}

/** The messages of incidents, over all workspaces. */
export const channelMessageStore = {
  /** Stores messages, in place of former ones of their incidents and groups; those of erased incidents are dropped. */
  async keep(tx: Tx, messages: readonly ChannelMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await tx.query(
      `INSERT INTO channel_message (workspace_id, incident_id, group_id, handle, created)
       SELECT "workspaceId", "incidentId", "groupId", handle, at
       FROM jsonb_to_recordset($1) AS new ("workspaceId" uuid, "incidentId" uuid, "groupId" uuid, handle jsonb, at timestamptz)
       WHERE EXISTS (SELECT FROM incident WHERE incident.id = "incidentId" AND incident.workspace_id = "workspaceId")
       ORDER BY "incidentId", "groupId"
       ON CONFLICT (incident_id, group_id) DO UPDATE SET handle = excluded.handle, created = excluded.created
         WHERE channel_message.handle <> excluded.handle`,
      [jsonText(messages)],
    );
  },

  /** @returns how many were deleted */
  async purge(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `WITH old AS (
         SELECT incident_id, group_id FROM channel_message WHERE created < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM channel_message USING old
       WHERE channel_message.incident_id = old.incident_id AND channel_message.group_id = old.group_id`,
      [before, limit],
    );
  },
};
