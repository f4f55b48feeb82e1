import type { Team, TeamMember } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { Member } from '@watchpost/control-plane/capabilities/workspaces/member-schemas';
import { WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo, workspaceId } from '../../data/session.js';
import { toastFault } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { Button, Icon } from '../../parts/button.js';
import { Choice } from '../../parts/inputs.js';
import { Unread } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { AddSelect } from './add-select.js';
import { nameOf, optionsOf, peopleFirst } from './people.js';

const ROLES = [
  { value: 'lead', label: 'Lead' },
  { value: 'member', label: 'Member' },
];

/** The people of a team, and which of them lead it. */
export function Members({ team }: { team: Team }) {
  const mayChange = hasRole('Admin');
  const people = useResource<Member[]>(mayChange ? `/api/v1/workspaces/${workspaceId.value}/members` : null, WHOLE);
  const path = `/api/v1/teams/${team.id}/members`;
  const others = peopleFirst(
    (people.data ?? []).filter(
      ({ userId, status }) => status === 'active' && !team.members.some((member) => member.userId === userId),
    ),
  );
  const hasLead = team.members.some(({ teamRole }) => teamRole === 'lead');
  const remove = (member: TeamMember) =>
    ask({
      title: `Take ${nameOf(member)} out of ${team.name}`,
      action: 'Take out',
      consequences: [
        'The next participant takes the shifts of the rotation; the turns of the others do not move.',
        'Overrides for this person are deleted.',
      ],
      onConfirm: () => change('DELETE', `${path}/${member.userId}`),
    });
  return (
    <Section
      look="part"
      title="People"
      lead="Leads are paged when nobody acknowledges an incident, or nobody is on call."
    >
      {team.members.length === 0 ? (
        <p class="soft">Nobody is in this team yet.</p>
      ) : (
        <ul class="oncall-people list lines gap-2">
          {team.members.map((member) => (
            <li key={member.userId} class="flex center gap-2">
              <Icon name="person" />
              <span class="lines grow">
                {nameOf(member)}
                {member.email && member.name && <span class="soft small">{member.email}</span>}
              </span>
              {mayChange ? (
                <>
                  <Choice
                    class="auto"
                    label={`Role of ${nameOf(member)}`}
                    options={ROLES}
                    value={member.teamRole}
                    onChange={(teamRole) =>
                      void change('PATCH', `${path}/${member.userId}`, { body: { teamRole } }).catch(toastFault)
                    }
                  />
                  <Button
                    look="plain"
                    icon="close"
                    label={`Take ${nameOf(member)} out of the team`}
                    onClick={() => remove(member)}
                  />
                </>
              ) : (
                <span class="chip">{member.teamRole}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {team.members.length > 0 && !hasLead && (
        <p class="note note-partial">There is no lead: an incident that nobody acknowledges is passed to nobody.</p>
      )}
      {mayChange && others.length > 0 && (
        <AddSelect
          label="Add somebody to the team"
          prompt="Add somebody …"
          options={optionsOf(others)}
          onAdd={(userId) => {
            const body = { userId, teamRole: hasLead ? 'member' : 'lead' };
            change('POST', path, { body }).catch(toastFault);
          }}
        />
      )}
      <Unread needs={mayChange ? [people] : []} />
      {mayChange && people.data !== undefined && others.length === 0 && (
        <p class="soft small">
          Everybody of the workspace is in it. <a href={pathTo('/settings/members')}>Invite somebody</a>
        </p>
      )}
    </Section>
  );
}
