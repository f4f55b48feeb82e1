import type { SourceLists, SourcePolicy, SourceReading, SourceTarget } from '../on-call/source.js';
import { MINUTE_MS } from '@watchpost/shared/time';
import { quoted } from '../import-report.js';
import { entryOf, idOf, numberOf, objectOf, type Row, rowsIn, textOf } from '../rows.js';

const MOST_MINUTES = 1_440;

/** Escalations, with what the routing rules of teams do with them in the report. */
export function readPolicies(lists: SourceLists, { report }: SourceReading): SourcePolicy[] {
  const defaults = new Set<string>();
  for (const rule of lists('routingRules')) {
    const notified = objectOf(rule, 'notify') ?? {};
    const untaken = (reason: string) => report.untaken('routing rule', textOf(rule, 'name') ?? idOf(rule), reason);
    if (rule['isDefault'] !== true)
      untaken('the severity of an incident chooses the policy: set `severities` of the policies of its team');
    else if (textOf(notified, 'type') === 'escalation') defaults.add(idOf(notified));
    else untaken('it chooses no escalation, and here the first policy of the team counts, or the built-in one');
  }
  return lists('escalations').map((escalation): SourcePolicy => {
    const differences: string[] = [];
    /** Delays count from the alert there, and from the step before here. */
    const steps = new Map<number, SourceTarget[]>();
    for (const rule of rowsIn(escalation, 'rules')) {
      const target = targetOf(rule, differences);
      const minutes = minutesOf(objectOf(rule, 'delay') ?? {});
      if (textOf(rule, 'condition') === 'if-not-closed')
        differences.push(
          'pages nobody any more once somebody has acknowledged, where it went on until the alert was closed',
        );
      if (target && minutes !== null) steps.set(minutes, (steps.get(minutes) ?? []).concat(target));
      else if (target) differences.push('is without a step whose delay is no time of at most a day');
    }
    const repeat = objectOf(escalation, 'repeat') ?? {};
    const rounds = numberOf(repeat, 'waitInterval') ? (numberOf(repeat, 'count') ?? 1) : 0;
    if (rounds > 0) differences.push('repeats without a wait of its own between the rounds');
    if (repeat['closeAlertAfterAll'] === true) differences.push('does not close incidents in the end');
    let before = 0;
    return {
      name: textOf(escalation, 'name') ?? idOf(escalation),
      teamId: textOf(objectOf(escalation, 'ownerTeam') ?? {}, 'id'),
      steps: [...steps]
        .toSorted(([a], [b]) => a - b)
        .map(([minutes, targets]) => {
          const afterMs = (minutes - before) * MINUTE_MS;
          before = minutes;
          return { afterMs, targets };
        }),
      isDefault: defaults.has(idOf(escalation)),
      repeat: rounds,
      differences: [...new Set(differences)],
    };
  });
}

function targetOf(rule: Row, differences: string[]): SourceTarget | null {
  const recipient = objectOf(rule, 'recipient') ?? {};
  const [id, notifyType] = [idOf(recipient), textOf(rule, 'notifyType') ?? 'default'];
  switch (textOf(recipient, 'type')) {
    case 'user':
      return { type: 'user', personId: id };
    case 'schedule':
      if (notifyType !== 'default')
        differences.push(`pages who is on call, where it was the person ${quoted(notifyType)}`);
      return { type: 'onCall', scheduleId: id };
    case 'team':
      if (!['all', 'users', 'admins'].includes(notifyType))
        differences.push(`pages the whole team, where it was ${quoted(notifyType)}`);
      return { type: notifyType === 'admins' ? 'leads' : 'team', teamId: id };
    default:
      differences.push(`is without a target of the kind ${quoted(textOf(recipient, 'type') ?? '')}`);
      return null;
  }
}

function minutesOf(delay: Row): number | null {
  const unit = entryOf({ minutes: 1, hours: 60, days: MOST_MINUTES }, textOf(delay, 'timeUnit') ?? 'minutes');
  const minutes = (numberOf(delay, 'timeAmount') ?? 0) * (unit ?? Number.NaN);
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= MOST_MINUTES ? minutes : null;
}
