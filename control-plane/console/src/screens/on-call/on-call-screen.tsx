import { show } from '../../parts/dialog.js';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { paramsOf } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { EmptyState, Loaded } from '../../parts/loaded.js';
import { Tabs } from '../../parts/section.js';
import { Calendar } from './calendar.js';
import { TeamView } from './team-view.js';
import { NewTeamDialog, TeamList } from './teams.js';

const MOST_TEAMS = 200;

/** Who is on call, and the teams that are. */
export function OnCallScreen() {
  const { url } = useLocation();
  const address = paramsOf(url);
  const isTeams = address.get('tab') === 'teams';
  const teamId = address.get('team') ?? '';
  const read = useResource<Team[]>('/api/v1/teams', { pageSize: MOST_TEAMS });
  const [isAsked, setAsked] = useState(false);
  const teams = read.data?.toSorted((a, b) => a.name.localeCompare(b.name)) ?? [];
  const mayChange = hasRole('Admin');
  const newTeam = (
    <Button
      text="New team"
      icon="plus"
      {...(teams.length === 0 && { look: 'primary' as const })}
      onClick={() => show(<NewTeamDialog />)}
    />
  );
  return (
    <Screen
      title="On call"
      actions={
        mayChange &&
        teams.length > 0 &&
        (isTeams ? newTeam : <Button text="Add override" look="primary" icon="person" onClick={() => setAsked(true)} />)
      }
      lead={
        teams.length > 0 && (
          <Tabs
            label="On call"
            tabs={[
              { href: pathTo('/on-call'), label: 'Calendar', isCurrent: !isTeams },
              { href: pathTo('/on-call', { tab: 'teams' }), label: 'Teams', isCurrent: isTeams, count: teams.length },
            ]}
          />
        )
      }
    >
      <Loaded of={read} rows={6}>
        {() =>
          teams.length === 0 ? (
            <EmptyState icon="on-call" title="Nobody is on call" action={mayChange && newTeam}>
              A team takes turns at being on call. The person on call is paged when a monitor of its service groups
              fails{mayChange ? '.' : '. Admins make teams.'}
            </EmptyState>
          ) : !isTeams ? (
            <Calendar teams={teams} isAsked={isAsked} onAsk={() => setAsked(false)} />
          ) : teamId === '' ? (
            <TeamList teams={teams} />
          ) : (
            <TeamView key={teamId} teamId={teamId} />
          )
        }
      </Loaded>
    </Screen>
  );
}
