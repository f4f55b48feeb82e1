import type { Clock } from '@watchpost/shared/clock';
import type { Actor } from '../../platform/identity/caller.js';
import type { OwnMembership, OwnMembershipPatch } from './member-schemas.js';
import type { Database, Tx } from '../../platform/db/database.js';
import type { ChangeAuthor } from '../audit/index.js';
import type { Entitlements } from '../plans/index.js';

export interface WorkspaceDeps {
  db: Database;
  clock: Clock;
}

export type WorkspaceChange =
  /** Quorum or automatic closing changed, which affect incidents. */
  | { kind: 'verdictSettingsChanged'; workspaceId: string }
  /** Another owner's plan applies; both accounts are locked until the transaction ends. */
  | { kind: 'transferred'; workspaceId: string; ownerId: string; formerOwnerId: string; entitlements: Entitlements }
  /** The membership ends, and with it what belongs to the member; called before that. */
  | { kind: 'memberLeaving'; workspaceId: string; memberId: string; by: ChangeAuthor }
  /** Everything in the workspace is deleted with it. */
  | { kind: 'deleting'; workspaceId: string };

/** Called within the transaction that makes the change; an error undoes it. */
export type WorkspaceListener = (tx: Tx, change: WorkspaceChange) => Promise<void>;

/** The accounts of members at services, by what they are for. */
export type AccountLists = Pick<OwnMembership, 'chatAccounts' | 'contactMethods'>;

/** A change of accounts, before which a code must reach each new one. */
export interface AccountsChange {
  /**
   * @returns whether it is complete; otherwise codes must be sent first, and nothing may be committed
   * @throws Fault `validation_failed`
   */
  apply(tx: Tx): Promise<boolean>;
  /** Sends the codes, outside of transactions. @throws Fault `validation_failed` where one cannot be sent, `rate_limited` */
  sendCodes(): Promise<void>;
}

/** The accounts of members: which services there are, and how a code gets there, is known above. */
export interface OwnAccounts {
  ofMember(tx: Tx, workspaceId: string, memberId: string): Promise<AccountLists>;
  /** Makes these the accounts of the caller. A list that is not given stays as it is. */
  change(actor: Actor, lists: Pick<OwnMembershipPatch, 'chatAccounts' | 'contactMethods'>): AccountsChange;
}

export interface WorkspaceChangeDeps extends WorkspaceDeps {
  /** The operator decides this for all workspaces. */
  installation: {
    /** `everyone` creates workspaces for oneself, or only operators do. */
    createWorkspaces: 'everyone' | 'operators';
    /** The claim whose values a workspace may map to roles; null: none. */
    roleClaim: string | null;
    /** The one whom those ask who are refused. */
    contact: string | null;
  };
  /** Called in this order. */
  listeners: readonly WorkspaceListener[];
  /** Called after the commit if the set of checks may have changed. A lost call only costs time. */
  onChecksChanged(): void;
  /** Throws `not_found` unless all of these are action groups of the workspace, which is locked. */
  requireActionGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>;
  accounts: OwnAccounts;
  /**
   * Is called before a change of a user, and what it returns after it: that throws `would_be_unreachable` where nobody could
   * be paged any more by a schedule of the user.
   */
  reachableAfter(tx: Tx, workspaceId: string, userId: string): Promise<() => Promise<void>>;
}

export interface InvitationDeps extends WorkspaceChangeDeps {
  /** The public base URL, without a slash at the end. */
  baseUrl: string;
  /** Whether the `Cookie` header is of a browser that is signed in to the console. Default: none is. */
  isSignedIn?(cookieHeader: string): Promise<boolean>;
  /** Queues a mail that is sent after the commit. */
  sendMail(
    tx: Tx,
    workspaceId: string,
    mail: { to: string; subject: string; text: string; html: string },
  ): Promise<void>;
}

export async function callListeners(
  deps: Pick<WorkspaceChangeDeps, 'listeners'>,
  tx: Tx,
  change: WorkspaceChange,
): Promise<void> {
  for (const listener of deps.listeners) await listener(tx, change);
}
