import { SEVERITY_WORDS } from '@watchpost/shared/incident-types';
import type { EscalationPolicyView } from '@watchpost/control-plane/capabilities/on-call/escalation-policy-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { countText, durationText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { PolicyPages } from './policy-timeline.js';
import { plannedPages } from './policy-values.js';
import { policyHref } from './policy-view.js';

/** The escalation policies of a team in the order in which they count. */
export function Policies({ team }: { team: Team }) {
  const read = useResource<EscalationPolicyView[]>(`/api/v1/teams/${team.id}/escalation-policies`);
  return (
    <Section
      look="part"
      title="Who would be paged when"
      lead="Until somebody acknowledges. The first policy with the severity of the incident counts."
      aside={hasRole('Admin') && <Button text="New policy" icon="plus" href={policyHref(team.id, 'new')} />}
    >
      <Loaded of={read}>
        {(policies) => (
          <>
            <PolicyPages
              team={team}
              policy={policies.find(
                ({ severities, planRestricted }) => severities.includes('down') && !planRestricted,
              )!}
              heading="If a monitor went down now"
            />
            <ul class="list lines gap-3 above-3" aria-label="Escalation policies">
              {policies.map((policy) => (
                <li key={policy.id} class="lines gap-1">
                  <span class="flex between gap-4">
                    <a href={policyHref(team.id, policy.id)}>{policy.name}</a>
                    {policy.problems.length > 0 && (
                      <span class="state-unavailable small">{countText(policy.problems.length, 'target')} to mend</span>
                    )}
                  </span>
                  <span class="soft small">{policyText(policy)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function policyText(policy: EscalationPolicyView): string {
  const { severities, steps, repeat } = policy;
  const last = plannedPages(policy).at(-1)?.afterMs ?? 0;
  const whole = Object.keys(SEVERITY_WORDS).length;
  return [
    severities.length === whole
      ? 'all incidents'
      : severities.map((each) => SEVERITY_WORDS[each].toLowerCase()).join(', '),
    countText(steps.length, 'step'),
    ...(repeat > 0 ? [countText(repeat + 1, 'round')] : []),
    `over ${durationText(last)}`,
  ].join('; ');
}
