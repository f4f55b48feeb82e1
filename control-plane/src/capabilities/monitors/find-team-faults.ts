import type { FaultDetail } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';

/**
 * What is wrong with the teams that are named for monitors, of each. Teams that exist cannot be deleted until the transaction
 * ends. To be called before groups and monitors are locked.
 */
export async function findTeamFaults(
  tx: Tx,
  workspaceId: string,
  monitors: readonly { teamId?: string | null | undefined }[],
): Promise<FaultDetail[][]> {
  const named = [...new Set(monitors.flatMap(({ teamId }) => teamId ?? []))];
  if (named.length === 0) return monitors.map(() => []);
  const known = await tx.column<string>(
    'SELECT id FROM nameable_team WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
    [workspaceId, named],
  );
  return monitors.map(({ teamId }) =>
    !teamId || known.includes(teamId)
      ? []
      : [{ path: 'teamId', message: 'must be the id of a team of this workspace' }],
  );
}
