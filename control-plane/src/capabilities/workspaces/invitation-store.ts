import type { Tx } from '../../platform/db/database.js';
import type { Role } from '../../platform/identity/caller.js';

/** As stored: a pending invitation is expired from `expiresAt` on. */
export type InvitationStatus = 'pending' | 'accepted' | 'declined' | 'revoked';

export interface InvitationRow {
  id: string;
  workspaceId: string;
  /** In lower case. */
  email: string;
  role: Exclude<Role, 'Owner'>;
  status: InvitationStatus;
  invitedBy: string;
  expiresAt: Date;
  created: Date;
  lastModified: Date;
}

const COLUMNS = `id, workspace_id AS "workspaceId", email, role, status, invited_by AS "invitedBy",
  expires_at AS "expiresAt", created, last_modified AS "lastModified"`;
/** Pending or expired. */
const OPEN = `workspace_id = $1 AND status = 'pending'`;

/** Invitations to a workspace. Callers that change them hold the lock on the workspace. */
export const invitationStore = {
  async insert(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    await tx.query(
      `INSERT INTO invitation (workspace_id, id, email, role, status, invited_by, expires_at, created, last_modified,
         token_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        workspaceId,
        row.id,
        row.email,
        row.role,
        row.status,
        row.invitedBy,
        row.expiresAt,
        row.created,
        row.lastModified,
        tokenHash,
      ],
    );
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<InvitationRow | undefined> {
    const [row] = await tx.query<InvitationRow>(
      `SELECT ${COLUMNS} FROM invitation WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    return row;
  },

  /** The pending or expired invitation of this address; there is at most one. @param email in lower case */
  async findOpenOf(workspaceId: string, tx: Tx, email: string): Promise<InvitationRow | undefined> {
    const [row] = await tx.query<InvitationRow>(`SELECT ${COLUMNS} FROM invitation WHERE ${OPEN} AND email = $2`, [
      workspaceId,
      email,
    ]);
    return row;
  },

  /** The names of the workspace and of the inviting person, for the mail. */
  async names(workspaceId: string, tx: Tx, userId: string): Promise<{ workspace: string; inviter: string | null }> {
    const [row] = await tx.query<{ workspace: string; inviter: string | null }>(
      `SELECT name AS workspace, (SELECT coalesce(name, email) FROM user_account WHERE id = $2) AS inviter
       FROM workspace WHERE id = $1`,
      [workspaceId, userId],
    );
    return row!;
  },

  /** Pending and expired invitations, newest first. */
  async pageOpen(
    workspaceId: string,
    tx: Tx,
    page: { limit: number; offset: number },
  ): Promise<{ rows: InvitationRow[]; total: number }> {
    const rows = await tx.query<InvitationRow>(
      `SELECT ${COLUMNS} FROM invitation WHERE ${OPEN} ORDER BY created DESC, id DESC LIMIT $2 OFFSET $3`,
      [workspaceId, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM invitation WHERE ${OPEN}`, [
      workspaceId,
    ]);
    return { rows, total: count!.total };
  },

  /** @returns the number of pending invitations, and of pending and expired ones */
  async countOpen(workspaceId: string, tx: Tx, now: Date): Promise<{ pending: number; open: number }> {
    const [row] = await tx.query<{ pending: number; open: number }>(
      `SELECT count(*) FILTER (WHERE expires_at > $2) AS pending, count(*) AS open FROM invitation WHERE ${OPEN}`,
      [workspaceId, now],
    );
    return row!;
  },

  async settle(workspaceId: string, tx: Tx, id: string, status: InvitationStatus, at: Date): Promise<void> {
    await tx.query('UPDATE invitation SET status = $3, last_modified = $4 WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      id,
      status,
      at,
    ]);
  },

  /** Replaces the token; the former one no longer finds the invitation. */
  async replaceToken(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    await tx.query(
      `UPDATE invitation SET token_hash = $3, expires_at = $4, last_modified = $5
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, row.id, tokenHash, row.expiresAt, row.lastModified],
    );
  },
};

/** Invitations of all workspaces, for holders of a token and the service's own housekeeping. */
export const anyInvitationStore = {
  /** A lookup by digest, so that its duration reveals nothing about tokens. */
  async findByToken(tx: Tx, tokenHash: Buffer): Promise<InvitationRow | undefined> {
    const [row] = await tx.query<InvitationRow>(`SELECT ${COLUMNS} FROM invitation WHERE token_hash = $1`, [tokenHash]);
    return row;
  },

  /** The fields shown to the holder of the link. */
  async describeByToken(
    tx: Tx,
    tokenHash: Buffer,
  ): Promise<(Pick<InvitationRow, 'role' | 'status' | 'expiresAt'> & { workspaceName: string }) | undefined> {
    const [row] = await tx.query<Pick<InvitationRow, 'role' | 'status' | 'expiresAt'> & { workspaceName: string }>(
      `SELECT i.role, i.status, i.expires_at AS "expiresAt", w.name AS "workspaceName"
       FROM invitation i JOIN workspace w ON w.id = i.workspace_id WHERE i.token_hash = $1`,
      [tokenHash],
    );
    return row;
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
