import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../platform/db/database.js';
import type { Entitlements } from '../plans/index.js';

/** What reading workspaces takes. */
export interface WorkspaceDeps {
  db: Database;
  clock: Clock;
}

export type WorkspaceChange =
  /** Quorum or automatic closing: what incidents are decided by. */
  | { kind: 'verdictSettingsChanged'; workspaceId: string }
  /** Another owner's plan holds now; both accounts are held until the transaction ends. */
  | { kind: 'transferred'; workspaceId: string; ownerId: string; formerOwnerId: string; entitlements: Entitlements }
  /** All that belongs to it is about to go with it. */
  | { kind: 'deleting'; workspaceId: string };

/** Told of a change within the transaction that makes it: where it throws, nothing was changed. */
export type WorkspaceListener = (tx: Tx, change: WorkspaceChange) => Promise<void>;

/** What changing them takes. */
export interface WorkspaceChangeDeps extends WorkspaceDeps {
  /** In the order in which they are told. */
  listeners: readonly WorkspaceListener[];
  /** Called after the commit where what is checked may be another now. Losing it costs time only. */
  onChecksChanged(): void;
  /** Throws `not_found` unless all of these are action groups of the workspace, which is held. */
  requireActionGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>;
}

/** What inviting takes. */
export interface InvitationDeps extends WorkspaceChangeDeps {
  /** Where callers reach the service, without a slash at the end. */
  baseUrl: string;
  /** Has a mail sent once the transaction is committed. */
  sendMail(
    tx: Tx,
    workspaceId: string,
    mail: { to: string; subject: string; text: string; html: string },
  ): Promise<void>;
}

export async function tellListeners(
  deps: Pick<WorkspaceChangeDeps, 'listeners'>,
  tx: Tx,
  change: WorkspaceChange,
): Promise<void> {
  for (const listener of deps.listeners) await listener(tx, change);
}
