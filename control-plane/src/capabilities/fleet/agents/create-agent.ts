import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
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
  const now = clock.now();
  const agentId = newId(now);
  const token = newAgentToken();
  const { isCreated, pin } = await db.transaction(async (tx) => ({
    isCreated: await insertAgent(tx, { id: agentId, name, region, tokenHash: hashAgentToken(token) }, now),
    pin: await readAuthorityPin(tx),
  }));
  if (!isCreated)
    throw new Fault(
      'validation_failed',
      `There is an agent ${name} in ${region}: take another name, or revoke that one.`,
    );
  return { agentId, token: pinnedToken(token, pin), region };
}
