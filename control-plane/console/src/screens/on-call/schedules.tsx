import type { ReadinessView, TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { countText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { scheduleHref } from './schedule-view.js';
import { layerText } from './schedule-values.js';

const MOST_SCHEDULES = 10;

/** The schedules of a team, each with its layers and what is wrong with its coming shifts. */
export function Schedules({ team }: { team: Team }) {
  const path = `/api/v1/teams/${team.id}/schedules`;
  const read = useResource<TeamSchedule[]>(path, { pageSize: MOST_SCHEDULES });
  const isFull = (read.data?.length ?? 0) >= MOST_SCHEDULES;
  return (
    <Section
      look="part"
      title="Schedules"
      aside={
        hasRole('Admin') &&
        read.data &&
        !isFull &&
        team.members.length > 0 && <Button text="New schedule" icon="plus" href={scheduleHref(team.id, 'new')} />
      }
    >
      <Loaded of={read}>
        {(schedules) =>
          schedules.length === 0 ? (
            <p class="soft">
              {team.members.length === 0 ? 'Add people first; then they can take turns.' : 'Nobody takes turns yet.'}
            </p>
          ) : (
            <ul class="list lines gap-4">
              {schedules.map((schedule) => (
                <li key={schedule.id} class="lines gap-1">
                  <span class="flex between gap-4">
                    <a href={scheduleHref(team.id, schedule.id)}>{schedule.name}</a>
                    <Problems path={`${path}/${schedule.id}`} />
                  </span>
                  {schedule.layers.length === 0 && <span class="soft small">Only overrides</span>}
                  {schedule.layers.map((layer, at) => (
                    <span key={at} class="soft small">
                      {schedule.layers.length > 1 && `${layer.name}: `}
                      {layerText(layer)}
                    </span>
                  ))}
                  <span class="soft small">{schedule.timezone.replaceAll('_', ' ')}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Problems({ path }: { path: string }) {
  const read = useResource<ReadinessView[]>(`${path}/readiness`);
  const count = read.data?.filter(({ problem }) => problem !== null).length ?? 0;
  return count > 0 ? <span class="state-unavailable small">{countText(count, 'shift')} to mend</span> : null;
}
