import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@watchpost/shared/clock';
import { HOME_REGION } from '@watchpost/shared/region';
import type { Database } from '../platform/db/database.js';
import { createAgent, listAgents } from '../capabilities/fleet/index.js';

export interface HomeAgentTokenDeps {
  db: Database;
  clock: Clock;
  dataDir: string;
}

interface Kept {
  agentId: string;
  token: string;
}

/** The token of the agent that runs beside this process: made once, kept in a file that only we can read. */
export async function homeAgentToken({ db, clock, dataDir }: HomeAgentTokenDeps): Promise<string> {
  const file = join(dataDir, 'home-agent.json');
  const kept = await readKept(file);
  const agents = await listAgents({ db, clock });
  if (kept && agents.some((agent) => agent.id === kept.agentId && agent.status !== 'revoked')) return kept.token;
  // The database does not know that agent, or it was revoked: a new one, under a name that is still free.
  const taken = new Set(
    agents.filter((agent) => agent.region === HOME_REGION && agent.status !== 'revoked').map((agent) => agent.name),
  );
  let name = 'home';
  for (let number = 2; taken.has(name); number++) name = `home-${number}`;
  const { agentId, token } = await createAgent({ db, clock }, { region: HOME_REGION, name });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify({ agentId, token } satisfies Kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return token;
}

async function readKept(file: string): Promise<Kept | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
