import type { CollectedFaults } from './collected-faults.js';
import type { ConfiguredWorkspace } from './configured-objects.js';
import type { PlannedChange } from './decide-plan.js';
import type { Fields } from './fields.js';
import type { RunOperation } from './operations.js';
import type { Section } from './sections.js';
import type { TeamOutside } from './team-kind.js';

type Members = TeamOutside['members'];

interface ChangingTeam {
  workspace: ConfiguredWorkspace;
  run: RunOperation;
  idOf: (section: Section, key: unknown) => string;
  faults: CollectedFaults;
}

/** Gives a team the members, the rotation and the service groups that the document names, by the operations for each. */
export async function changeTeam({ workspace, run, idOf, faults }: ChangingTeam, change: PlannedChange): Promise<void> {
  const { people, objects } = workspace;
  const id = change.id!;
  const { fields, given } = change.desired!;
  const wanted = fields as { members: Members; schedule: Fields | null; serviceGroups: readonly string[] };
  const current = objects.teams.get(id)?.fields ?? { members: [], schedule: null, serviceGroupIds: [] };
  const roles = new Map((current['members'] as Members).map(({ email, teamRole }) => [email, teamRole]));
  const left = [...roles.keys()].filter((email) => !wanted.members.some((one) => one.email === email));
  const userOf = (address: string) => people.userOf(address)!;

  for (const email of left)
    await faults.of(change, 'members', () => run('removeTeamMember', { params: { id, userId: userOf(email) } }));
  for (const { email, teamRole } of wanted.members) {
    const userId = userOf(email);
    const role = roles.get(email);
    if (role === teamRole) continue;
    const at = ((given['members'] ?? []) as Members).findIndex(
      (one) => people.canonical(one.email.trim().toLowerCase()) === email,
    );
    await faults.of(
      change,
      (path) => `members.${at}${path === 'userId' ? '.email' : ''}`,
      () =>
        role === undefined
          ? run('addTeamMember', { params: { id }, body: { userId, teamRole } })
          : run('updateTeamMember', { params: { id, userId }, body: { teamRole } }),
    );
  }

  const isScheduleChanged = Object.keys(change.fields).some((path) => path.split('.', 1)[0] === 'schedule');
  if (wanted.schedule !== null && (change.action === 'create' || isScheduleChanged)) {
    const participants = (wanted.schedule['participants'] as string[]).map(userOf);
    await faults.of(
      change,
      (path) => `schedule${path === '' ? '' : `.${path}`}`,
      () => run('setSchedule', { params: { id }, body: { ...wanted.schedule, participants } }),
    );
  } else if (isScheduleChanged) await faults.of(change, 'schedule', () => run('deleteSchedule', { params: { id } }));

  const routed = new Set(current['serviceGroupIds'] as string[]);
  await faults.of(change, 'serviceGroups', async () => {
    const groups = new Set(wanted.serviceGroups.map((key) => idOf('serviceGroups', key)));
    for (const serviceGroupId of routed)
      if (!groups.has(serviceGroupId)) await run('unrouteServiceGroup', { params: { id, serviceGroupId } });
    for (const serviceGroupId of groups)
      if (!routed.has(serviceGroupId)) await run('routeServiceGroup', { params: { id, serviceGroupId } });
  });
}
