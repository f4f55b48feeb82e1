import type { Database } from '../../../platform/db/database.js';
import { selectAgents, type AgentDetails } from './agent-store.js';

/** Every agent as it was last heard of, those that are revoked last. */
export async function listAgents({ db }: { db: Database }): Promise<AgentDetails[]> {
  return await db.read(selectAgents);
}
