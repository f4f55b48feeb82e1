import type { Tx } from '../../../platform/db/database.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import type { RecipientChannel, RecipientStatus } from './decide-recipient-state.js';

export interface RecipientStatusRow extends RecipientStatus {
  address: string;
}

/** What decides whether a message may be sent to an address or number. */
export const admissionStore = {
  /** The status of addresses, whether or not a group contains them, in the given order; undefined where a workspace does not exist. */
  async statusesOf(
    tx: Tx,
    places: readonly { workspaceId: string; channel: RecipientChannel; address: string }[],
  ): Promise<(RecipientStatusRow | undefined)[]> {
    const rows = await tx.query<RecipientStatusRow & { position: number }>(
      `SELECT place.position::integer, place.address, coalesce(account.trial_fallback, account.plan) <> 'Starter' AS "isPaid",
         known.confirmed_at IS NOT NULL AS "isConfirmed", known.refused_at IS NOT NULL AS "isRefused",
         place.channel = 'email' AND EXISTS (
           SELECT FROM workspace_member member JOIN user_account person ON person.id = member.user_id
           WHERE member.workspace_id = place.workspace_id AND member.status = 'active' AND person.email_verified
             AND lower(person.email) = lower(place.address)) AS "isMember"
       FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS place (workspace_id, channel, address, position)
       JOIN workspace ON workspace.id = place.workspace_id JOIN user_account account ON account.id = workspace.owner_id
       LEFT JOIN alert_recipient known ON known.owner_id = workspace.owner_id AND known.channel = place.channel
         AND known.address_key = lower(place.address)`,
      valuesOf(places, 'workspaceId', 'channel', 'address'),
    );
    const found = new Map(rows.map(({ position, ...row }) => [position - 1, row]));
    return places.map((_, index) => found.get(index));
  },

  async emailOfOwner(workspaceId: string, tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ email: string | null }>(
      `SELECT account.email FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE workspace.id = $1`,
      [workspaceId],
    );
    return row?.email ?? null;
  },
};
