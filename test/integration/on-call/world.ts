import { create, type World } from '../../support/seed.js';
import type { TestUser } from '../../support/app.js';

export const TEAMS = '/api/v1/teams';

export interface SeededTeam {
  id: string;
  path: string;
  ann: TestUser;
  bob: TestUser;
  cyd: TestUser;
}

/** A team of three: the workspace's Admin, Editor and Responder. */
export async function seedTeam(world: World): Promise<SeededTeam> {
  const { id } = await create(world.api, TEAMS, { name: 'Night watch' });
  const [ann, bob, cyd] = [await world.member('Admin'), await world.member('Editor'), await world.member('Responder')];
  for (const { userId } of [ann, bob, cyd]) await create(world.api, `${TEAMS}/${id}/members`, { userId });
  return { id, path: `${TEAMS}/${id}`, ann, bob, cyd };
}

/** The same with a daily rotation of Ann, Bob and Cyd at nine in Berlin, from Monday 2026-11-16 on. */
export async function seedRotation(world: World): Promise<SeededTeam> {
  const team = await seedTeam(world);
  await create(world.api, `${team.path}/schedule`, rotationOf(team), 'PUT');
  return team;
}

export const rotationOf = ({ ann, bob, cyd }: SeededTeam) => ({
  rotation: 'daily',
  timezone: 'Europe/Berlin',
  handoffTime: '09:00',
  startDate: '2026-11-16',
  participants: [ann.userId, bob.userId, cyd.userId],
});
