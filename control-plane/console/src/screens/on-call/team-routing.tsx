import type { AlertPreview } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change, useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button, Icon } from '../../parts/button.js';
import { named } from '../../parts/inputs.js';
import { countText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';
import { AddSelect } from './add-select.js';
import { nameOf } from './people.js';

const MOST_GROUPS = 200;

export interface RoutedGroup {
  serviceGroupId: string;
  name: string;
}

/** The service groups whose incidents page a team. */
export function Routing({ team, routed }: { team: Team; routed: readonly RoutedGroup[] | undefined }) {
  const mayChange = hasRole('Admin');
  const groups = useResource<ServiceGroupView[]>(mayChange ? '/api/v1/service-group' : null, {
    pageSize: MOST_GROUPS,
  });
  const pathOf = (id: string) => `/api/v1/teams/${team.id}/service-groups/${id}`;
  const others = (groups.data ?? []).filter(
    ({ id, deletedAt }) => deletedAt === null && !routed?.some(({ serviceGroupId }) => serviceGroupId === id),
  );
  return (
    <Section look="part" title="Service groups" lead="Their incidents page this team. A group can page several teams.">
      {routed?.length === 0 && (
        <p class="note note-partial">No service group is routed to this team, so it is paged for nothing.</p>
      )}
      <ul class="oncall-people list lines gap-2">
        {routed?.map(({ serviceGroupId, name }) => (
          <li key={serviceGroupId} class="flex center gap-2">
            <Icon name="monitors" />
            <span class="lines grow">
              {name}
              <span class="soft small">
                {countOf(groups.data?.find(({ id }) => id === serviceGroupId)?.monitors.length)}
              </span>
            </span>
            {mayChange && (
              <Button
                look="plain"
                icon="close"
                label={`Page this team no more for ${name}`}
                onClick={() =>
                  void change('DELETE', pathOf(serviceGroupId)).then(
                    () =>
                      toast(`${name} pages ${team.name} no more.`, {
                        label: 'Undo',
                        run: () => void change('PUT', pathOf(serviceGroupId)).catch(toastFault),
                      }),
                    toastFault,
                  )
                }
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && others.length > 0 && (
        <AddSelect
          label="Route a service group to this team"
          prompt="Add a service group …"
          options={named(others)}
          onAdd={(id) => void change('PUT', pathOf(id)).catch(toastFault)}
        />
      )}
    </Section>
  );
}

function countOf(monitors: number | undefined): string {
  return monitors === undefined ? '' : countText(monitors, 'monitor');
}

/** Whom an incident that opened now would page, and after how long. */
export function Escalation({ teamId, routed }: { teamId: string; routed: readonly RoutedGroup[] | undefined }) {
  const groupId = routed?.[0]?.serviceGroupId;
  const preview = useResource<AlertPreview>(groupId === undefined ? null : '/api/v1/alert-preview', {
    serviceGroupId: groupId,
  });
  const all = preview.data?.teams.find((team) => team.teamId === teamId)?.steps;
  const isReached = all?.[0]?.people.some(({ channels }) => channels.length > 0) ?? false;
  // Where the first step reaches nobody, the leads are paged at once, and nobody again.
  const steps = isReached
    ? all
    : all
        ?.filter(({ afterMinutes, who }) => afterMinutes === 0 || who === 'leads')
        .map((step) => ({ ...step, afterMinutes: 0 }));
  return (
    <Section look="part" title="Escalation" lead="Who gets paged for a new incident, until somebody acknowledges it.">
      {routed?.length === 0 ? (
        <p class="soft">Route a service group to the team to see its steps.</p>
      ) : (
        <ol class="oncall-steps list lines gap-2">
          {steps?.map(({ afterMinutes, who, people, why }) => (
            <li key={`${who} ${afterMinutes}`}>
              <span class="soft num">{afterMinutes === 0 ? 'at once' : `${afterMinutes} min`}</span>
              <span class="lines grow">
                <span>
                  {who === 'leads' ? 'Leads' : afterMinutes === 0 ? 'On call' : 'On call, once more'}:{' '}
                  <strong>{people.map(nameOf).join(', ') || 'nobody'}</strong>
                </span>
                {people.map(({ userId, channels }) => (
                  <span key={userId} class="soft small">
                    {channels.map(({ channel, address }) => `${channel} ${address}`).join(', ')}
                  </span>
                ))}
                {why && <span class="state-unavailable small">{why}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
