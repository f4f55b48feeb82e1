import type { Tx } from '../db/database.js';
import type { Role } from '../identity/caller.js';

export type InvitationStatus = 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';

export interface InvitationRow {
  id: string;
  workspaceId: string;
  /** In lower case. */
  email: string;
  role: Exclude<Role, 'Owner'>;
  /** `pending` may have run out: see `expiresAt`. */
  status: InvitationStatus;
  invitedBy: string;
  /** How many links were made for it: each was sent. */
  links: number;
  expiresAt: Date;
  created: Date;
  lastModified: Date;
}

const COLUMNS = `id, workspace_id AS "workspaceId", email, role, status, invited_by AS "invitedBy", links,
  expires_at AS "expiresAt", created, last_modified AS "lastModified"`;
const PENDING = `workspace_id = $1 AND status = 'pending' AND expires_at > $2`;

/** Invitations to a workspace. Whoever changes something here holds the workspace. */
export const invitationStore = {
  async insert(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    await tx.query(
      `INSERT INTO invitation (workspace_id, id, email, role, status, invited_by, links, expires_at, created, last_modified,
         token_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        workspaceId,
        row.id,
        row.email,
        row.role,
        row.status,
        row.invitedBy,
        row.links,
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

  /** What is marked as pending for this address, run out or not. @param email in lower case */
  async findPendingOf(workspaceId: string, tx: Tx, email: string): Promise<InvitationRow | undefined> {
    const [row] = await tx.query<InvitationRow>(
      `SELECT ${COLUMNS} FROM invitation WHERE workspace_id = $1 AND email = $2 AND status = 'pending'`,
      [workspaceId, email],
    );
    return row;
  },

  /** What the mail calls the workspace and the person who invites. */
  async names(workspaceId: string, tx: Tx, userId: string): Promise<{ workspace: string; inviter: string | null }> {
    const [row] = await tx.query<{ workspace: string; inviter: string | null }>(
      `SELECT name AS workspace, (SELECT coalesce(name, email) FROM user_account WHERE id = $2) AS inviter
       FROM workspace WHERE id = $1`,
      [workspaceId, userId],
    );
    return row!;
  },

  /** Those that can still be accepted, newest first. */
  async pagePending(
    workspaceId: string,
    tx: Tx,
    now: Date,
    page: { limit: number; offset: number },
  ): Promise<{ rows: InvitationRow[]; total: number }> {
    const rows = await tx.query<InvitationRow>(
      `SELECT ${COLUMNS} FROM invitation WHERE ${PENDING} ORDER BY created DESC, id DESC LIMIT $3 OFFSET $4`,
      [workspaceId, now, page.limit, page.offset],
    );
    return { rows, total: await invitationStore.countPending(workspaceId, tx, now) };
  },

  async countPending(workspaceId: string, tx: Tx, now: Date): Promise<number> {
    const [row] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM invitation WHERE ${PENDING}`, [
      workspaceId,
      now,
    ]);
    return row!.total;
  },

  async settle(workspaceId: string, tx: Tx, id: string, status: InvitationStatus, at: Date): Promise<void> {
    await tx.query('UPDATE invitation SET status = $3, last_modified = $4 WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      id,
      status,
      at,
    ]);
  },

  /** From now on only the new token finds it. */
  async replaceToken(workspaceId: string, tx: Tx, row: InvitationRow, tokenHash: Buffer): Promise<void> {
    await tx.query(
      `UPDATE invitation SET token_hash = $3, links = $4, expires_at = $5, last_modified = $6
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, row.id, tokenHash, row.links, row.expiresAt, row.lastModified],
    );
  },
};

/** Invitations of all workspaces: for who holds a token, and for the service's own housekeeping. */
export const anyInvitationStore = {
  /** A look-up by digest: how long it takes says nothing about any token. */
  async findByToken(tx: Tx, tokenHash: Buffer): Promise<InvitationRow | undefined> {
    const [row] = await tx.query<InvitationRow>(`SELECT ${COLUMNS} FROM invitation WHERE token_hash = $1`, [tokenHash]);
    return row;
  },

  /** What a person who holds the link is shown of it. */
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

  /** How many links a person had made since a moment, whatever the workspace. */
  async countLinksBy(tx: Tx, userId: string, since: Date): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT coalesce(sum(links), 0)::int AS count FROM invitation WHERE invited_by = $1 AND created > $2',
      [userId, since],
    );
    return row!.count;
  },

  /** How many links an address was sent since a moment, by one workspace and by all. @param email in lower case */
  async countLinks(
    tx: Tx,
    email: string,
    workspaceId: string,
    since: Date,
  ): Promise<{ ofWorkspace: number; ofAll: number }> {
    const [row] = await tx.query<{ ofWorkspace: number; ofAll: number }>(
      `SELECT coalesce(sum(links) FILTER (WHERE workspace_id = $2), 0)::int AS "ofWorkspace",
         coalesce(sum(links), 0)::int AS "ofAll"
       FROM invitation WHERE email = $1 AND created > $3`,
      [email, workspaceId, since],
    );
    return row!;
  },

  /** @returns how many are gone */
  async purge(tx: Tx, expiredBefore: Date, limit: number): Promise<number> {
    const rows = await tx.query<{ id: string }>(
      `WITH old AS (SELECT id FROM invitation WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED),
         gone AS (DELETE FROM invitation USING old WHERE invitation.id = old.id RETURNING invitation.id)
       SELECT id FROM gone`,
      [expiredBefore, limit],
    );
    return rows.length;
  },
};
