import { DAY_MS } from '@watchpost/shared/time';
import { useState } from 'preact/hooks';
import type { EscalationPolicyView } from '@watchpost/control-plane/capabilities/on-call/escalation-policy-schemas';
import type { ReadinessView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { now } from '../../data/clock.js';
import { useResource } from '../../data/resources.js';
import { clockText, durationText, momentText } from '../../parts/format.js';
import { colouring } from './people.js';
import { keyOfTarget, plannedPages, policyValues, type PolicyValues, problemsOf } from './policy-values.js';
import { type Duties, type Paged, pagedAt, useTargets } from './use-targets.js';

/** So far ahead the API knows shifts. */
const MOST_DAYS = 90;
const SHOWN = 30;

interface TimelineProps {
  values: PolicyValues;
  team: Team;
  targets: ReturnType<typeof useTargets>;
  /** Names what is wrong with targets, by their keys. */
  problems: ReadonlyMap<string, string>;
  heading?: string;
}

/** The pages of a policy as it is saved. */
export function PolicyPages(props: { team: Team; policy: EscalationPolicyView; heading?: string }) {
  const { team, policy, ...rest } = props;
  const targets = useTargets(team);
  return (
    <PolicyTimeline
      {...rest}
      values={policyValues(policy)}
      team={team}
      targets={targets}
      problems={problemsOf(policy)}
    />
  );
}

/** Who would be paged when, if an incident opened now and nobody acknowledged it. */
export function PolicyTimeline(props: TimelineProps) {
  const { values, team, targets, problems, heading = 'If an incident opened now' } = props;
  const [openedMs] = useState(() => now.peek());
  const pages = plannedPages(values);
  const days = Math.min(MOST_DAYS, Math.ceil((pages.at(-1)?.afterMs ?? 0) / DAY_MS) + 1);
  const named = values.steps.flatMap((step) =>
    step.targets.flatMap((target) => (target.type === 'onCall' ? [target.scheduleId ?? targets.schedules[0]?.id] : [])),
  );
  // Two at most, so that the number of requests does not follow what is edited.
  const [one, other] = [...new Set(named.filter((id) => id !== undefined))];
  const duties: Duties = new Map([
    [one ?? '', useDuties(team.id, one, days)],
    [other ?? '', useDuties(team.id, other, days)],
  ]);
  return (
    <section class="lines gap-3 packed" aria-label="Who is paged when">
      <h3>{heading}</h3>
      <ol class="oncall-pages list lines" aria-label="Pages">
        {pages.slice(0, SHOWN).map(({ afterMs, round, step }) => (
          <li key={`${round} ${step}`} class="oncall-page">
            <span class="num" title={momentText(openedMs + afterMs, openedMs)}>
              {afterMs === 0 ? 'at once' : durationText(afterMs)}
              <span class="soft small block">{clockText(openedMs + afterMs)}</span>
            </span>
            <span class="lines gap-1 packed">
              {(values.steps[step]?.targets ?? []).map((target, at) => (
                <TargetAt
                  key={at}
                  words={targets.wordsOf(target)}
                  problem={problems.get(keyOfTarget(target))}
                  paged={pagedAt(target, openedMs + afterMs, { team, targets, duties })}
                />
              ))}
              {values.steps[step]?.ackRequired === 'each' && (
                <span class="soft small">The next step comes until each of them has acknowledged.</span>
              )}
              {step === 0 && round > 0 && <span class="soft small">Round {round + 1}</span>}
            </span>
          </li>
        ))}
      </ol>
      {pages.length > SHOWN && <p class="soft small">And {pages.length - SHOWN} more.</p>}
      <p class="soft small">Nobody is paged after an acknowledgement. A step that reaches nobody moves on at once.</p>
    </section>
  );
}

interface TargetProps {
  words: string;
  problem: string | undefined;
  paged: readonly Paged[] | undefined;
}

function useDuties(teamId: string, scheduleId: string | undefined, days: number): readonly ReadinessView[] | undefined {
  const path = scheduleId === undefined ? null : `/api/v1/teams/${teamId}/schedules/${scheduleId}/readiness`;
  return useResource<ReadinessView[]>(path, { days }).data;
}

function TargetAt({ words, problem, paged }: TargetProps) {
  if (paged === undefined) return <span class="soft">{words}</span>;
  const why = paged[0]?.reachableBy?.length === 0 ? 'cannot be paged by any channel' : problem;
  const note = why !== undefined && <span class="state-unavailable small block">{why}</span>;
  if (paged.length === 0)
    return (
      <span>
        <span class="state-unavailable">Nobody</span> <span class="soft small">{words}</span>
        {note}
      </span>
    );
  const names = paged.map(({ name }) => name).join(', ');
  return (
    <span>
      {paged.length === 1 && paged[0]!.person && <span class="oncall-dot inline" style={colouring(paged[0]!.person)} />}{' '}
      <strong>{names}</strong>{' '}
      <span class="soft small">
        {words !== names && words}
        {paged.length === 1 && paged[0]!.reachableBy && paged[0]!.reachableBy.length > 0 && (
          <>, by {paged[0]!.reachableBy.join(', ')}</>
        )}
      </span>
      {note}
    </span>
  );
}
