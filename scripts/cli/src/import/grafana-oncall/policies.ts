import { SECOND_MS } from '@watchpost/shared/time';
import { groupBy } from '@watchpost/shared/group-by';
import type { SourceLists, SourcePolicy, SourceTarget } from '../on-call/source.js';
import { quoted } from '../import-report.js';
import { idOf, numberOf, type Row, textOf, textsIn } from '../rows.js';

/** It repeats an escalation so many times at most. */
const REPEATS = 5;

/** Escalation chains with their policies, which are steps there. */
export function readPolicies(lists: SourceLists): SourcePolicy[] {
  const steps = groupBy(lists('escalation_policies'), (one) => textOf(one, 'escalation_chain_id') ?? '');
  return lists('escalation_chains').map((chain) => {
    const own = (steps.get(idOf(chain)) ?? []).toSorted(
      (a, b) => (numberOf(a, 'position') ?? 0) - (numberOf(b, 'position') ?? 0),
    );
    return {
      name: textOf(chain, 'name') ?? idOf(chain),
      teamId: textOf(chain, 'team_id'),
      isDefault: false,
      ...readSteps(own),
    };
  });
}

function readSteps(rows: readonly Row[]): Pick<SourcePolicy, 'steps' | 'repeat' | 'differences'> {
  const steps: { afterMs: number; targets: SourceTarget[] }[] = [];
  const differences: string[] = [];
  let [afterMs, repeat] = [0, 0];
  for (const row of rows) {
    const type = textOf(row, 'type') ?? 'none';
    if (type === 'wait') {
      const seconds = numberOf(row, 'duration') ?? -1;
      if (seconds < 0) differences.push('is without a wait whose duration is no time');
      else afterMs += Math.round(seconds) * SECOND_MS;
      continue;
    }
    if (type === 'repeat_escalation') {
      repeat = REPEATS;
      continue;
    }
    const targets = targetsOf(type, row, differences);
    if (targets.length === 0) {
      differences.push(`is without a step ${quoted(type)}`);
      continue;
    }
    const last = steps.at(-1);
    if (last && afterMs === 0) last.targets.push(...targets);
    else steps.push({ afterMs, targets });
    afterMs = 0;
  }
  return { steps, repeat, differences };
}

function targetsOf(type: string, row: Row, differences: string[]): SourceTarget[] {
  const idIn = (field: string, targetOf: (id: string) => SourceTarget): SourceTarget[] => {
    const id = textOf(row, field);
    return id === null ? [] : [targetOf(id)];
  };
  const people = (field: string): SourceTarget[] => textsIn(row, field).map((personId) => ({ type: 'user', personId }));
  switch (type) {
    case 'notify_persons':
      return people('persons_to_notify');
    case 'notify_person_next_each_time':
      differences.push('pages all people of a step of which it paged one in turn');
      return people('persons_to_notify_next_each_time');
    case 'notify_on_call_from_schedule':
      return idIn('notify_on_call_from_schedule', (scheduleId) => ({ type: 'onCall', scheduleId }));
    case 'notify_team_members':
      return idIn('team_to_notify', (teamId) => ({ type: 'team', teamId }));
    case 'trigger_webhook':
    case 'trigger_action':
      return idIn('action_to_trigger', (groupId) => ({ type: 'actionGroup', groupId }));
    default:
      return [];
  }
}
