import { LessThan, MoreThan } from 'typeorm';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { InvitationEntity, InvitationLinkEntity, type InvitationStatus } from './invitation.entity.js';

export type InvitationRow = Omit<InvitationEntity, 'tokenHash'>;

/** Pending or expired. */
const OPEN = 'pending';

/** Invitations to a workspace. Callers that change them hold the lock on the workspace. */
export const invitationStore = {
  async insert(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    await tx.manager.insert(InvitationEntity, { ...row, workspaceId, tokenHash });
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<InvitationRow | null> {
    return tx.manager.findOneBy(InvitationEntity, { workspaceId, id });
  },

  /** The pending or expired invitation of this address; there is at most one. @param email in lower case */
  async findOpenOf(workspaceId: string, tx: Tx, email: string): Promise<InvitationRow | null> {
    return tx.manager.findOneBy(InvitationEntity, { workspaceId, status: OPEN, email });
  },

  /** Whether any workspace waits for the answer of this address. @param email in lower case */
  async isPending(tx: Tx, email: string, now: Date): Promise<boolean> {
    return tx.manager.existsBy(InvitationEntity, { status: OPEN, email, expiresAt: MoreThan(now) });
  },

  async names(workspaceId: string, tx: Tx, userId: string): Promise<{ workspace: string; inviter: string | null }> {
    const [row] = await tx.query<{ workspace: string; inviter: string | null }>(
      `SELECT name AS workspace, (SELECT coalesce(name, email) FROM user_account WHERE id = $2) AS inviter
       FROM workspace WHERE id = $1`,
      [workspaceId, userId],
    );
    return row!;
  },

  /** Pending and expired invitations, newest first. */
  async pageOpen(workspaceId: string, tx: Tx, page: Rows): Promise<ListPage<InvitationRow>> {
    const [rows, total] = await tx.manager.findAndCount(InvitationEntity, {
      where: { workspaceId, status: OPEN },
      order: { created: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
    return { items: rows, total };
  },

  /** @returns the number of pending invitations, and of pending and expired ones */
  async countOpen(workspaceId: string, tx: Tx, now: Date): Promise<{ pending: number; open: number }> {
    const [row] = await tx.query<{ pending: number; open: number }>(
      `SELECT count(*) FILTER (WHERE expires_at > $2) AS pending, count(*) AS open FROM invitation
       WHERE workspace_id = $1 AND status = $3`,
      [workspaceId, now, OPEN],
    );
    return row!;
  },

  async settle(workspaceId: string, tx: Tx, id: string, status: InvitationStatus, at: Date): Promise<void> {
    await tx.manager.update(InvitationEntity, { workspaceId, id }, { status, lastModified: at });
  },

  /** Replaces the token; the former one no longer finds the invitation. */
  async replaceToken(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    const { id, expiresAt, lastModified } = row;
    await tx.manager.update(InvitationEntity, { workspaceId, id }, { tokenHash, expiresAt, lastModified });
  },
};

/** Invitations of all workspaces, for holders of a token and the service's own housekeeping. */
export const anyInvitationStore = {
  /** A lookup by digest, so that its duration reveals nothing about tokens. */
  async findByToken(tx: Tx, tokenHash: Buffer): Promise<InvitationRow | null> {
    return tx.manager.findOneBy(InvitationEntity, { tokenHash });
  },

  /** The fields shown to the holder of the link. */
  async describeByToken(
    tx: Tx,
    tokenHash: Buffer,
  ): Promise<(Pick<InvitationRow, 'role' | 'status' | 'expiresAt'> & { workspaceName: string }) | undefined> {
    return tx.one(
      `SELECT i.role, i.status, i.expires_at AS "expiresAt", w.name AS "workspaceName"
       FROM invitation i JOIN workspace w ON w.id = i.workspace_id WHERE i.token_hash = $1`,
      [tokenHash],
    );
  },

  /** Deletes invitations answered or revoked before a moment. @returns how many */
  async purge(tx: Tx, settledBefore: Date, limit: number): Promise<number> {
    return tx.execute(
      `WITH old AS (
         SELECT id FROM invitation WHERE status <> 'pending' AND last_modified < $1
         ORDER BY last_modified LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM invitation USING old WHERE invitation.id = old.id`,
      [settledBefore, limit],
    );
  },
};

/** The links mailed in the last day, also of deleted invitations and workspaces. */
export const invitationLinkStore = {
  /**
   * Makes the transaction wait for its turn among those that count links of the user or to the address. All take the two
   * locks in this order, so that none waits for another in a circle.
   */
  async lock(tx: Tx, { email, userId }: { email: string; userId: string }): Promise<void> {
    for (const counted of [`inviter ${userId}`, `address ${email}`])
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.invitation_link ' || $1, 0))`, [
        counted,
      ]);
  },

  /** @param link `email` in lower case; `ownerId` owns the workspace, `userId` invites */
  async insert(tx: Tx, link: { email: string; ownerId: string; userId: string; created: Date }): Promise<void> {
    const { userId: invitedBy, ...counted } = link;
    await tx.manager.insert(InvitationLinkEntity, { ...counted, invitedBy });
  },

  /** Counts the links mailed since a moment: by the user, to the address by the owner's workspaces, and to the address by all. */
  async count(
    tx: Tx,
    { email, ownerId, userId }: { email: string; ownerId: string; userId: string },
    since: Date,
  ): Promise<{ ofInviter: number; ofOwner: number; ofAll: number }> {
    const [row] = await tx.query<{ ofInviter: number; ofOwner: number; ofAll: number }>(
      `SELECT (SELECT count(*) FROM invitation_link WHERE invited_by = $3 AND created > $4) AS "ofInviter",
         count(*) FILTER (WHERE owner_id = $2) AS "ofOwner", count(*) AS "ofAll"
       FROM invitation_link WHERE email = $1 AND created > $4`,
      [email, ownerId, userId, since],
    );
    return row!;
  },

  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.manager.delete(InvitationLinkEntity, { created: LessThan(before) });
  },
};
