import type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { WHOLE } from '../../data/address.js';
import { change, type ResourceView, useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button, Icon } from '../../parts/button.js';
import { named } from '../../parts/inputs.js';
import { countText } from '../../parts/format.js';
import { Loaded, Unread } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { AddSelect } from './add-select.js';

export interface RoutedGroup {
  serviceGroupId: string;
  name: string;
}

/** The service groups whose incidents page a team. */
export function Routing({ team, routed }: { team: Team; routed: ResourceView<RoutedGroup[]> }) {
  const mayChange = hasRole('Admin');
  const groups = useResource<ServiceGroupView[]>(mayChange ? '/api/v1/service-group' : null, WHOLE);
  const pathOf = (id: string) => `/api/v1/teams/${team.id}/service-groups/${id}`;
  const othersThan = (own: readonly RoutedGroup[]) =>
    groups.data?.filter(
      ({ id, deletedAt }) => deletedAt === null && !own.some(({ serviceGroupId }) => serviceGroupId === id),
    ) ?? [];
  return (
    <Section look="part" title="Service groups" lead="Their incidents page this team. A group can page several teams.">
      <Loaded of={routed}>
        {(own) => (
          <>
            {own.length === 0 && (
              <p class="note note-partial">No service group is routed to this team, so it is paged for nothing.</p>
            )}
            <ul class="oncall-people list lines gap-2">
              {own.map(({ serviceGroupId, name }) => (
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
            {mayChange && othersThan(own).length > 0 && (
              <AddSelect
                label="Route a service group to this team"
                prompt="Add a service group …"
                options={named(othersThan(own))}
                onAdd={(id) => void change('PUT', pathOf(id)).catch(toastFault)}
              />
            )}
          </>
        )}
      </Loaded>
      <Unread needs={mayChange ? [groups] : []} />
    </Section>
  );
}

function countOf(monitors: number | undefined): string {
  return monitors === undefined ? '' : countText(monitors, 'monitor');
}
