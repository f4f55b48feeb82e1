import type { Clock } from '@watchpost/shared/clock';
import type { Actor } from '../../platform/identity/caller.js';
import type { Transactions, Tx } from '../../platform/db/database.js';

export interface LocationReadDeps {
  db: Transactions;
  clock: Clock;
}

export interface LocationDeps extends LocationReadDeps {
  /** Locks the groups against deletion. @throws Fault not_found */
  requireActionGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>;
  /** Revokes the agents of a location, in the transaction that deletes it. */
  revokeAgents(tx: Tx, locationId: string): Promise<void>;
  monitorsAt(tx: Tx, workspaceId: string, slug: string): Promise<{ id: string; name: string }[]>;
  /** Takes a location out of monitors, in the transaction that deletes it. */
  takeOut(tx: Tx, actor: Actor, slug: string, monitorIds: readonly string[]): Promise<void>;
  /** Lets the verdicts of the workspace be decided again, because a location votes now, or no longer. */
  reconsider(tx: Tx, workspaceId: string): Promise<void>;
  /** Called after a commit that changes what agents are allowed. */
  onChanged(): void;
}
