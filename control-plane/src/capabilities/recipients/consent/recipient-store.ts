import type { Tx } from '../../../platform/db/database.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import { isAnyDue } from '../../../platform/jobs/due-store.js';
import type { RecipientChannel } from '../../delivery/index.js';
import { AlertRecipientEntity } from './recipient.entity.js';

export interface RecipientRow extends Omit<
  AlertRecipientEntity,
  'addressKey' | 'confirmedAt' | 'refusedAt' | 'created'
> {
  isConfirmed: boolean;
  isRefused: boolean;
}

const COLUMNS = `${columnsOf(AlertRecipientEntity, { without: ['addressKey', 'confirmedAt', 'refusedAt', 'created'] })},
  confirmed_at IS NOT NULL AS "isConfirmed", refused_at IS NOT NULL AS "isRefused"`;

/** Whether a group of the owner contains the recipient, or a member has the number in the preferences. */
const IS_USED = `EXISTS (SELECT FROM group_recipient used WHERE used.owner_id = known.owner_id
    AND used.channel = known.channel AND used.address_key = known.address_key AND NOT used.is_member)
  OR known.channel = 'sms' AND EXISTS (SELECT FROM workspace_member member JOIN workspace own ON own.id = member.workspace_id
    WHERE own.owner_id = known.owner_id AND member.status = 'active'
      AND member.notification_preferences ->> 'phoneNumber' = known.address)`;

/** Recipients of an owner, identified by a workspace of the owner. */
export const recipientStore = {
  /** Adds recipients that have to be asked; known ones are left unchanged. */
  async insert(
    workspaceId: string,
    tx: Tx,
    recipients: readonly { id: string; channel: RecipientChannel; address: string }[],
    now: Date,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO alert_recipient (id, owner_id, workspace_id, channel, address, address_key, ask_at, created)
       SELECT new.id, workspace.owner_id, workspace.id, new.channel, new.address, lower(new.address), $5, $5
       FROM workspace CROSS JOIN unnest($2::uuid[], $3::text[], $4::text[]) AS new (id, channel, address)
       WHERE workspace.id = $1
       ON CONFLICT ON CONSTRAINT alert_recipient_address_key DO NOTHING`,
      [workspaceId, ...valuesOf(recipients, 'id', 'channel', 'address'), now],
    );
  },

  /** Deletes recipients of the owner that have not been asked and are not used any more. */
  async dropUnused(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query(
      `DELETE FROM alert_recipient known
       WHERE owner_id = (SELECT owner_id FROM workspace WHERE id = $1)
         AND confirmed_at IS NULL AND refused_at IS NULL AND asked_ever = 0 AND NOT (${IS_USED})`,
      [workspaceId],
    );
  },

  /** Counts the recipients of the owner that are in use and have not answered. */
  async countUnanswered(workspaceId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM alert_recipient known JOIN workspace ON workspace.owner_id = known.owner_id
       WHERE workspace.id = $1 AND known.confirmed_at IS NULL AND known.refused_at IS NULL AND (${IS_USED})`,
      [workspaceId],
    );
  },

  async lock(
    workspaceId: string,
    tx: Tx,
    channel: RecipientChannel,
    address: string,
  ): Promise<RecipientRow | undefined> {
    return tx.one(
      `SELECT ${COLUMNS} FROM alert_recipient
       WHERE owner_id = (SELECT owner_id FROM workspace WHERE id = $1) AND channel = $2 AND address_key = lower($3)
       FOR NO KEY UPDATE`,
      [workspaceId, channel, address],
    );
  },

  /** Has a request sent to a recipient at a time, on behalf of this workspace. */
  async scheduleRequest(workspaceId: string, tx: Tx, id: string, at: Date | null): Promise<void> {
    await tx.query('UPDATE alert_recipient SET ask_at = $3, workspace_id = $1 WHERE id = $2', [workspaceId, id, at]);
  },

  async confirm(workspaceId: string, tx: Tx, id: string, at: Date): Promise<void> {
    await tx.query(
      `UPDATE alert_recipient SET confirmed_at = $3, refused_at = NULL, ask_at = NULL, secret = NULL, secret_until = NULL
       WHERE id = $2 AND owner_id = (SELECT owner_id FROM workspace WHERE id = $1)`,
      [workspaceId, id, at],
    );
  },

  async countWrongCode(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.query(
      `UPDATE alert_recipient SET wrong_codes = wrong_codes + 1
       WHERE id = $2 AND owner_id = (SELECT owner_id FROM workspace WHERE id = $1)`,
      [workspaceId, id],
    );
  },

  /**
   * Copies the answers that recipients gave the former owner to the new one: those of the groups and of the members'
   * numbers that the workspace uses. An answer that the new owner has already is kept.
   */
  async copyAnswers(workspaceId: string, tx: Tx, formerOwnerId: string, at: Date): Promise<void> {
    await tx.query(
      `WITH used AS (
         SELECT channel, address_key FROM group_recipient WHERE workspace_id = $1
         UNION
         SELECT 'sms', lower(preferences ->> 'phoneNumber') FROM reachable_member WHERE workspace_id = $1
       )
       INSERT INTO alert_recipient (id, owner_id, workspace_id, channel, address, address_key, confirmed_at, refused_at, created)
       SELECT gen_random_uuid(), workspace.owner_id, workspace.id, known.channel, known.address, known.address_key,
         known.confirmed_at, known.refused_at, $3::timestamptz
       FROM used JOIN workspace ON workspace.id = $1 JOIN alert_recipient known ON known.owner_id = $2
         AND known.channel = used.channel AND known.address_key = used.address_key
       WHERE known.confirmed_at IS NOT NULL OR known.refused_at IS NOT NULL
       ORDER BY known.channel, known.address_key
       ON CONFLICT ON CONSTRAINT alert_recipient_address_key DO UPDATE
       SET confirmed_at = excluded.confirmed_at, refused_at = excluded.refused_at, ask_at = NULL
       WHERE alert_recipient.confirmed_at IS NULL AND alert_recipient.refused_at IS NULL`,
      [workspaceId, formerOwnerId, at],
    );
  },
};

/** The requests of a suspended owner are sent when the suspension ends. */
const MAY_ASK = 'NOT EXISTS (SELECT FROM user_account WHERE id = owner_id AND suspended_at IS NOT NULL)';
/** Whether a request for confirmation is due, as a condition of a due task. */
export const IS_REQUEST_DUE = isAnyDue('alert_recipient', 'ask_at', MAY_ASK);

/** Recipients of all owners: for the worker that sends requests, and for readers of links. */
export const anyRecipientStore = {
  /**
   * Returns addresses of enabled groups that must confirm and have not been asked.
   * @param ownerId null: of all owners
   * @param always whether recipients of paid accounts confirm too
   */
  async unasked(
    tx: Tx,
    ownerId: string | null,
    always: boolean,
    limit: number,
  ): Promise<{ workspaceId: string; channel: RecipientChannel; address: string }[]> {
    return tx.query(
      `SELECT DISTINCT ON (owner_id, channel, address_key) workspace_id AS "workspaceId", channel, address
       FROM group_recipient
       WHERE channel IN ('email', 'sms') AND is_enabled AND NOT is_known AND NOT is_member AND ($2 OR NOT is_paid)
         AND ($1::uuid IS NULL OR owner_id = $1)
       ORDER BY owner_id, channel, address_key, workspace_id LIMIT $3`,
      [ownerId, always, limit],
    );
  },

  async due(tx: Tx, now: Date, limit: number): Promise<string[]> {
    return tx.column(`SELECT id FROM alert_recipient WHERE ask_at <= $1 AND ${MAY_ASK} ORDER BY ask_at LIMIT $2`, [
      now,
      limit,
    ]);
  },

  /** Locks a due recipient until the transaction ends, if no other worker has locked it. */
  async claim(tx: Tx, id: string, now: Date): Promise<(RecipientRow & { isUsed: boolean }) | undefined> {
    return tx.one(
      `SELECT ${COLUMNS}, (${IS_USED}) AS "isUsed"
       FROM alert_recipient known WHERE id = $1 AND ask_at <= $2 FOR NO KEY UPDATE OF known SKIP LOCKED`,
      [id, now],
    );
  },

  /** Counts the requests of all owners to an address since a time. */
  async countRequestsOfAllOwners(
    tx: Tx,
    { channel, address }: Pick<RecipientRow, 'channel' | 'address'>,
    since: Date,
  ): Promise<number> {
    return tx.value(
      `SELECT coalesce(sum(asked), 0)::integer AS asked FROM alert_recipient
       WHERE channel = $1 AND address_key = lower($2) AND asked_since > $3`,
      [channel, address, since],
    );
  },

  async recordRequest(
    tx: Tx,
    id: string,
    { secret, until, now, dayAgo }: { secret: Buffer; until: Date; now: Date; dayAgo: Date },
  ): Promise<void> {
    await tx.query(
      `UPDATE alert_recipient SET ask_at = NULL, secret = $2, secret_until = $3, wrong_codes = 0,
         asked_ever = asked_ever + 1, asked = CASE WHEN asked_since > $5 THEN asked + 1 ELSE 1 END,
         asked_since = CASE WHEN asked_since > $5 THEN asked_since ELSE $4 END
       WHERE id = $1`,
      [id, secret, until, now, dayAgo],
    );
  },

  async postpone(tx: Tx, id: string, until: Date | null): Promise<void> {
    await tx.query('UPDATE alert_recipient SET ask_at = $2 WHERE id = $1', [id, until]);
  },

  /** Finds a recipient by the token of a link alone, which is the credential. */
  async ofLink(tx: Tx, hash: Buffer, now: Date): Promise<RecipientRow | undefined> {
    return tx.one(
      `SELECT ${COLUMNS} FROM alert_recipient WHERE secret = $1 AND secret_until > $2 AND channel = 'email'`,
      [hash, now],
    );
  },

  /** The enabled groups of the owner that contain a recipient, in all workspaces. */
  async groupsOf(tx: Tx, id: string): Promise<{ workspaceId: string; groupId: string }[]> {
    return tx.query(
      `SELECT used.workspace_id AS "workspaceId", used.group_id AS "groupId"
       FROM alert_recipient known JOIN group_recipient used USING (owner_id, channel, address_key)
       WHERE known.id = $1 AND used.is_enabled ORDER BY used.group_id`,
      [id],
    );
  },

  /** Stores an answer. The link stays valid until it expires, so that the answer can be changed. */
  async answer(tx: Tx, hash: Buffer, isConfirmed: boolean, now: Date): Promise<boolean> {
    const answered = await tx.execute(
      `UPDATE alert_recipient SET confirmed_at = CASE WHEN $2 THEN $3::timestamptz END,
         refused_at = CASE WHEN NOT $2 THEN $3::timestamptz END, ask_at = NULL
       WHERE secret = $1 AND secret_until > $3 AND channel = 'email'`,
      [hash, isConfirmed, now],
    );
    return answered > 0;
  },

  /** Deletes recipients that were created before a time, never answered, and are in no group any more. */
  async purgeUnanswered(tx: Tx, before: Date): Promise<void> {
    await tx.query(
      `DELETE FROM alert_recipient known
       WHERE confirmed_at IS NULL AND refused_at IS NULL AND created < $1
         AND NOT EXISTS (SELECT FROM group_recipient used WHERE used.owner_id = known.owner_id
           AND used.channel = known.channel AND used.address_key = known.address_key)`,
      [before],
    );
  },
};

export const contactStore = {
  /** @returns the phone number in the notification preferences of a member */
  async phoneNumberOfMember(workspaceId: string, tx: Tx, userId: string): Promise<string | null> {
    const [row] = await tx.query<{ number: string | null }>(
      `SELECT preferences ->> 'phoneNumber' AS number FROM reachable_member WHERE workspace_id = $1 AND user_id = $2`,
      [workspaceId, userId],
    );
    return row?.number ?? null;
  },

  /** @returns null where the identity provider has not verified the address */
  async verifiedEmailOfOwner(workspaceId: string, tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ email: string | null }>(
      `SELECT account.email FROM workspace JOIN user_account account ON account.id = workspace.owner_id
       WHERE workspace.id = $1 AND account.email_verified`,
      [workspaceId],
    );
    return row?.email ?? null;
  },
};
