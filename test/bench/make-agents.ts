import { randomBytes } from 'node:crypto';
import { hashAgentToken, newAgentToken } from '@watchpost/control-plane/capabilities/fleet/agents/agent-token';
import { newId } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type pg from 'pg';

export interface MadeAgent {
  token: string;
  region: Region;
}

/** Stores agents as `agents create` does, all in one statement, evenly over the regions. */
export async function makeAgents(client: pg.Client, count: number, regions: readonly Region[]): Promise<MadeAgent[]> {
  const agents = Array.from({ length: count }, (_, place) => ({
    token: newAgentToken(),
    region: regions[place % regions.length]!,
  }));
  const run = randomBytes(3).toString('hex');
  await client.query(
    `INSERT INTO agent (id, name, region, token_hash, created, last_modified)
     SELECT id, $4 || place, region, token_hash, now(), now()
     FROM unnest($1::uuid[], $2::text[], $3::bytea[]) WITH ORDINALITY AS agent (id, region, token_hash, place)`,
    [
      agents.map(() => newId(Date.now())),
      agents.map(({ region }) => region),
      agents.map(({ token }) => hashAgentToken(token)),
      `bench-${run}-`,
    ],
  );
  return agents;
}
