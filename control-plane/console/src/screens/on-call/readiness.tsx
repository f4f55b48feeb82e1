import type { EscalationPolicyView } from '@watchpost/control-plane/capabilities/on-call/escalation-policy-schemas';
import type { ReadinessView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { groupBy } from '@watchpost/shared/group-by';
import { now } from '../../data/clock.js';
import { useResource } from '../../data/resources.js';
import { first, pathTo } from '../../data/session.js';
import { countText, momentText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { colouring, nameOf } from './people.js';
import { policyHref } from './policy-view.js';

type Problem = NonNullable<ReadinessView['problem']>;

/** Each problem has what is wrong and what mends it; `own` is for the person who is shown. */
const PROBLEMS: Readonly<Record<Problem, { text: string; mend: string; own?: string }>> = {
  noMethod: {
    text: 'cannot be paged by any channel',
    mend: 'Write to them: their notification settings need a number or a channel',
    own: 'Choose how you are notified',
  },
  unverifiedNumber: {
    text: 'has a number that is not confirmed',
    mend: 'Write to them: their notification settings ask for the code',
    own: 'Confirm your number',
  },
  suspended: { text: 'replaces a suspended person', mend: 'See the members' },
  nobody: { text: 'Nobody is on call', mend: 'Add override' },
  noSignIn90Days: { text: 'has not signed in for 90 days', mend: 'Write to them: signing in once is enough' },
};
const SHOWN_TIMES = 3;

interface ReadinessProps {
  path: string;
  team: Team;
  onGap?: (gap: ReadinessView) => void;
}

/**
 * What would prevent an answer in the coming shifts: each problem of each person once, with what mends it; and the policies of
 * the team that page somebody who cannot be reached.
 */
export function Readiness({ path, team, onGap }: ReadinessProps) {
  const read = useResource<ReadinessView[]>(`${path}/readiness`);
  const policies = useResource<EscalationPolicyView[]>(`/api/v1/teams/${team.id}/escalation-policies`).data ?? [];
  const faulty = policies.filter(({ problems }) => problems.length > 0);
  return (
    <Section look="part" title="To mend" lead="What could prevent an answer in the next 30 days.">
      <Loaded of={read}>
        {(shifts) => {
          const problems = [
            ...groupBy(
              shifts.filter(({ problem }) => problem !== null),
              ({ problem, user }) => `${problem} ${user?.userId}`,
            ).values(),
          ];
          if (problems.length + faulty.length === 0)
            return (
              <p class="soft">
                {shifts.length === 0 ? 'Nothing is planned.' : 'Every shift can be answered. There is nothing to mend.'}
              </p>
            );
          return (
            <ul class="list lines gap-3" aria-label="To mend">
              {problems.map((all) => (
                <ProblemRow key={all[0]!.start} shifts={all} {...(onGap && { onGap })} />
              ))}
              {faulty.map((policy) => (
                <li key={policy.id} class="lines gap-1">
                  <span class="state-unavailable">
                    The policy {policy.name} pages {countText(policy.problems.length, 'target')} by which nobody is
                    reached
                  </span>
                  <a class="small" href={policyHref(team.id, policy.id)}>
                    See which, and choose others
                  </a>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ProblemRow({ shifts, onGap }: { shifts: readonly ReadinessView[]; onGap?: (gap: ReadinessView) => void }) {
  const [shift] = shifts as [ReadinessView];
  const { user } = shift;
  const problem = shift.problem!;
  const { text } = PROBLEMS[problem];
  const nowMs = now.value;
  const times = shifts.slice(0, SHOWN_TIMES).map(({ start }) => momentText(Date.parse(start), nowMs));
  const more = shifts.length - times.length;
  return (
    <li class="flex top gap-2">
      <span class="oncall-dot above-1" style={colouring(user)} />
      <span class="lines grow gap-1">
        <span class="state-unavailable">
          {user && `${nameOf(user)} `}
          {text}
        </span>
        <span class="soft small num">
          {times.join('; ')}
          {more > 0 && ` and ${countText(more, 'more shift')}`}
        </span>
        <span class="small">
          <Mend shift={shift} problem={problem} {...(onGap && { onGap })} />
        </span>
      </span>
    </li>
  );
}

/** Leads to where a problem is mended. */
function Mend(props: { shift: ReadinessView; problem: Problem; onGap?: (gap: ReadinessView) => void }) {
  const { shift, problem, onGap } = props;
  const { user } = shift;
  const { mend, own } = PROBLEMS[problem];
  if (problem === 'nobody')
    return onGap ? (
      <button type="button" class="underline bare" onClick={() => onGap(shift)}>
        {mend}
      </button>
    ) : (
      <span class="soft">Admins put somebody on call.</span>
    );
  if (problem === 'suspended') return <a href={pathTo('/settings/members')}>{mend}</a>;
  if (own && user?.userId === first?.user.id) return <a href={pathTo('/settings/notifications')}>{own}</a>;
  return user?.email ? <a href={`mailto:${user.email}`}>{mend}</a> : <span class="soft">{mend}</span>;
}
