import { groupBy } from '@watchpost/shared/group-by';
import { readPages } from '../on-call/read-service.js';
import type { GetPage, OnCallProduct, OnCallSource, SourceShift } from '../on-call/source.js';
import { nameFor } from '../names.js';
import { idOf, jsonOf, momentIn, objectOf, type Row, rowsIn, textOf, textsIn } from '../rows.js';
import { readWebhooks } from '../on-call/read-webhooks.js';
import { readPolicies } from './policies.js';
import { readSchedules } from './schedules.js';

const PAGED = [
  'users',
  'teams',
  'schedules',
  'on_call_shifts',
  'escalation_chains',
  'escalation_policies',
  'personal_notification_rules',
  'webhooks',
  'integrations',
] as const;

/** Grafana OnCall. https://grafana.com/docs/oncall/latest/oncall-api-reference/ */
export const GRAFANA_ONCALL: OnCallProduct = {
  name: 'Grafana OnCall',
  lists: [...PAGED, 'final_shifts'],
  identified: ['users', 'teams', 'schedules', 'on_call_shifts', 'escalation_chains', 'webhooks'],
  apiUrl: null,
  authorization: (key) => key,
  readApi,
  toSource(lists, reading) {
    const { report } = reading;
    for (const integration of lists('integrations'))
      report.untaken('integration', nameOf(integration), 'make a monitor of what it watches');
    const rules = new Map<string, number>();
    for (const rule of lists('personal_notification_rules'))
      rules.set(textOf(rule, 'user_id') ?? '', (rules.get(textOf(rule, 'user_id') ?? '') ?? 0) + 1);
    for (const user of lists('users'))
      if (rules.has(idOf(user)))
        report.untaken('notification rules', userName(user), 'each person sets them in the own profile');
    const usersOf = groupBy(
      lists('users').flatMap((user) =>
        [...new Set(textsIn(user, 'teams'))].map((teamId) => ({ teamId, personId: idOf(user) })),
      ),
      ({ teamId }) => teamId,
    );
    return {
      product: 'Grafana OnCall',
      people: new Map(
        lists('users').map((user) => [idOf(user), { name: userName(user), email: textOf(user, 'email') }]),
      ),
      teams: lists('teams').map((team) => ({
        id: idOf(team),
        name: nameOf(team),
        description: null,
        members: (usersOf.get(idOf(team)) ?? []).map(({ personId }) => ({ personId, isLead: false })),
      })),
      schedules: readSchedules(lists, reading),
      policies: readPolicies(lists),
      actionGroups: readWebhooks(
        'webhook',
        lists('webhooks').map((webhook) => ({
          id: idOf(webhook),
          name: nameFor(textOf(webhook, 'name'), 'Webhook'),
          url: textOf(webhook, 'url'),
          headers: objectOf({ headers: jsonOf(webhook, 'headers') }, 'headers'),
          isOff: webhook['is_webhook_enabled'] === false,
        })),
        reading,
      ),
    };
  },
  shiftsOf: (lists, source) => lists('final_shifts').flatMap(shiftOf(source)),
};

const userName = (user: Row): string => textOf(user, 'username') ?? textOf(user, 'email') ?? idOf(user);
const nameOf = (row: Row): string => textOf(row, 'name') ?? idOf(row);

/** All of its objects, by the names of the lists. */
async function readApi(get: GetPage, range: { fromMs: number; toMs: number } | null): Promise<Record<string, Row[]>> {
  const list = (path: string, query = {}) =>
    readPages(async (page) => {
      const body = await get(path, { ...query, page: page + 1 });
      return { items: rowsIn(body, 'results'), isLast: textOf(body, 'next') === null };
    });
  const read: Record<string, Row[]> = {};
  for (const name of PAGED) read[name] = await list(`/api/v1/${name}/`);
  read['final_shifts'] = [];
  for (const schedule of range ? read['schedules']! : []) {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const query = { start_date: day(range!.fromMs), end_date: day(range!.toMs) };
    const shifts = await list(`/api/v1/schedules/${encodeURIComponent(idOf(schedule))}/final_shifts`, query);
    for (const shift of shifts) read['final_shifts'].push({ schedule_id: idOf(schedule), ...shift });
  }
  return read;
}

const shiftOf =
  ({ people }: OnCallSource) =>
  (shift: Row): SourceShift[] => {
    const [startMs, endMs] = [momentIn(shift, 'shift_start'), momentIn(shift, 'shift_end')];
    const userId = textOf(shift, 'user_pk') ?? '';
    // A person who is not among the users is on call there all the same.
    const personId = people.has(userId) ? userId : (textOf(shift, 'user_email') ?? userId);
    return startMs === null || endMs === null || personId === ''
      ? []
      : [{ scheduleId: textOf(shift, 'schedule_id') ?? '', startMs, endMs, personId }];
  };
