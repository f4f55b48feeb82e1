import type { TeamDuty } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { pathTo } from '../../data/session.js';
import { countText, durationText } from '../../parts/format.js';
import { Icon } from '../../parts/button.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';

const NAMELESS = 'somebody without a name';

/** Who is on call now and next, a team a card. */
export function OnCallCards({ teams }: { teams: readonly TeamDuty[] }) {
  if (teams.length === 0) return null;
  return (
    <Section title="On call" aside={<a href={pathTo('/on-call')}>Schedule</a>}>
      <div class="grid">
        {teams.map((team) => (
          <Card key={team.teamId} team={team} />
        ))}
      </div>
    </Section>
  );
}

function Card({ team: { teamName, now, next, gaps, why } }: { team: TeamDuty }) {
  const gapMs = gaps.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0);
  return (
    <article class="card card-body duty lines gap-1 packed">
      <h3 class="soft">{teamName}</h3>
      {now ? (
        <p class="duty-now wrap center">
          <Icon name="person" />
          <strong>{now.name ?? NAMELESS}</strong>
          {now.until && <Time at={now.until} as="moment" class="soft" before="until " />}
        </p>
      ) : (
        <p class="state-unavailable">
          <strong>Nobody is on call.</strong> {why}
        </p>
      )}
      {next && (
        <p class="soft">
          Next: {next.name ?? NAMELESS}, <Time at={next.from} as="moment" />
        </p>
      )}
      {gaps.length > 0 && (
        <p class="state-partial">
          {countText(gaps.length, 'gap')} in the next 14 days, {durationText(gapMs)} in all
        </p>
      )}
    </article>
  );
}
