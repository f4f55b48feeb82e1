import type { Tx } from '../../platform/db/database.js';

/** More than a person reads; a search finds the others. */
export const MOST_LISTED = 500;

export interface ListedAccount {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  issuer: string;
  subject: string;
  plan: string;
  /** During a trial: its end. */
  trialEnds: Date | null;
  suspendedAt: Date | null;
  workspaces: number;
  /** In all workspaces that the account owns. */
  monitors: number;
  created: Date;
}

export interface ListedWorkspace {
  id: string;
  name: string;
  isPersonal: boolean;
  ownerId: string;
  owner: string | null;
  members: number;
  monitors: number;
  openIncidents: number;
  created: Date;
}

export interface ListedMembership {
  id: string;
  name: string;
  role: string;
  status: string;
  monitors: number;
}

const MONITORS = 'SELECT count(*)::integer FROM monitor WHERE monitor.workspace_id = own.id AND deleted_at IS NULL';

/** Reads what operators see of accounts and workspaces, newest first. */
export const accountListStore = {
  /** @param filter a part of an email or name, or an id; of null all */
  async accounts(tx: Tx, filter: { search: string | null } | { id: string }): Promise<ListedAccount[]> {
    return tx.query<ListedAccount>(
      `SELECT account.id, email, email_verified AS "emailVerified", account.name, issuer, subject, plan, trial_ends AS "trialEnds",
         suspended_at AS "suspendedAt", owned.workspaces, owned.monitors, account.created
       FROM (SELECT * FROM user_account
         WHERE ($1::text IS NULL OR strpos(lower(concat_ws(' ', email, name)), lower($1)) > 0)
           AND ($2::uuid IS NULL OR id = $2)
         ORDER BY created DESC, id DESC LIMIT ${MOST_LISTED}) AS account
       CROSS JOIN LATERAL (
         SELECT count(*)::integer AS workspaces, coalesce(sum((${MONITORS})), 0)::integer AS monitors
         FROM workspace own WHERE own.owner_id = account.id
       ) AS owned
       ORDER BY account.created DESC, account.id DESC`,
      'id' in filter ? [null, filter.id] : [filter.search, null],
    );
  },

  /** The workspaces that an account belongs to, its own first. */
  async memberships(tx: Tx, userId: string): Promise<ListedMembership[]> {
    return tx.query<ListedMembership>(
      `SELECT own.id, own.name, member.role, member.status, (${MONITORS}) AS monitors
       FROM workspace_member member JOIN workspace own ON own.id = member.workspace_id
       WHERE member.user_id = $1 ORDER BY member.role <> 'Owner', own.created, own.id LIMIT ${MOST_LISTED}`,
      [userId],
    );
  },

  /** @param ownerId null: of all */
  async workspaces(tx: Tx, ownerId: string | null): Promise<ListedWorkspace[]> {
    return tx.query<ListedWorkspace>(
      `SELECT own.id, own.name, is_personal AS "isPersonal", owner_id AS "ownerId", account.email AS owner, own.created,
         (SELECT count(*)::integer FROM workspace_member WHERE workspace_id = own.id) AS members, (${MONITORS}) AS monitors,
         (SELECT count(*)::integer FROM incident WHERE workspace_id = own.id AND ended IS NULL) AS "openIncidents"
       FROM (SELECT * FROM workspace WHERE $1::uuid IS NULL OR owner_id = $1
         ORDER BY created DESC, id DESC LIMIT ${MOST_LISTED}) AS own
       JOIN user_account account ON account.id = own.owner_id
       ORDER BY own.created DESC, own.id DESC`,
      [ownerId],
    );
  },
};
