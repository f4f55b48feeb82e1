import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Database, Tx } from '../../../platform/db/database.js';
import type { AgentEntity } from './agent.entity.js';
import { insertAgent } from './agent-store.js';
import { hashAgentToken, newAgentToken, pinnedToken } from './agent-token.js';
import { readAuthorityPin } from '../certificates/authority-store.js';

const MAX_NAME_LENGTH = 200;

export interface CreatedAgent {
  agentId: string;
  /** Shown once: only its hash is stored. It contains the hash of the certificate authority if there is one. */
  token: string;
  region: Region;
}

/**
 * Creates an agent of a region.
 * @throws Fault `validation_failed` if the name is empty, too long, not printable, or taken in the region
 */
export async function createAgent(
  { db, clock }: { db: Database; clock: Clock },
  { name, region }: { name: string; region: Region },
): Promise<CreatedAgent> {
  // Control characters would break the tables that operators read.
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new Fault('validation_failed', `An agent's name has 1 to ${MAX_NAME_LENGTH} printable characters.`);
  }
  const made = await db.transaction((tx) => addAgent(tx, { name, region, workspaceId: null }, clock.now()));
  if (!made)
    throw new Fault(
      'validation_failed',
      `There is an agent ${name} in ${region}: take another name, or revoke that one.`,
    );
  return { ...made, region };
}

/** @returns undefined where another agent of the place has this name */
export async function addAgent(
  tx: Tx,
  place: Pick<AgentEntity, 'name' | 'region' | 'workspaceId'>,
  nowMs: number,
): Promise<Pick<CreatedAgent, 'agentId' | 'token'> | undefined> {
  const agentId = newId(nowMs);
  const token = newAgentToken();
  const isCreated = await insertAgent(tx, { id: agentId, ...place, tokenHash: hashAgentToken(token) }, nowMs);
  return isCreated ? { agentId, token: pinnedToken(token, await readAuthorityPin(tx)) } : undefined;
}
