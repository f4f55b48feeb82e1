import type { ComponentChildren } from 'preact';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { pathTo } from '../../data/session.js';

/** Where a team is shown. */
export function teamHref(teamId: string): string {
  return pathTo('/on-call', { tab: 'teams', team: teamId });
}

/** Names what the plan does not cover, and what follows from it. */
export function PlanNote({ children }: { children: ComponentChildren }) {
  return (
    <p class="note note-partial below-4">
      {children} <a href={pathTo('/settings/plan')}>See what each plan has</a>
    </p>
  );
}

/** The heading of a part of a team that has an address of its own. */
export function PartHead({ team, name, children }: { team: Team; name: string; children?: ComponentChildren }) {
  return (
    <header class="section-head">
      <div>
        <a class="small" href={teamHref(team.id)}>
          {team.name}
        </a>
        <h2 class="above-1 below-1">{name}</h2>
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}
