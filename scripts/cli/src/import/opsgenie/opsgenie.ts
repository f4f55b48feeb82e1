import { readPages } from '../on-call/read-service.js';
import type {
  GetPage,
  OnCallProduct,
  SourceLists,
  SourceReading,
  SourceShift,
  SourceGroup,
} from '../on-call/source.js';
import { idOf, momentIn, objectOf, rowsIn, textOf, type Row } from '../rows.js';
import { readPolicies } from './policies.js';
import { readSchedules } from './schedules.js';
import { nameFor } from '../names.js';
import { readWebhooks } from '../on-call/read-webhooks.js';
import { chatOf } from '../webhook-group.js';

const nameOf = (one: Row): string => nameFor(textOf(one, 'name'), 'Integration');

const urlOf = (one: Row): string | null => textOf(one, 'webhookUrl') ?? textOf(one, 'url');

/** The types of integrations that may have an address to which they send. */
const SENDERS = /Webhook|Slack|Teams|Chat|Discord/;
const PAGE = 100;
const TIMELINE_DAYS = 30;

/** Opsgenie, and Jira Service Management with the API of Opsgenie. https://docs.opsgenie.com/docs/api-overview */
export const OPSGENIE: OnCallProduct = {
  name: 'Opsgenie',
  lists: ['users', 'teams', 'schedules', 'overrides', 'escalations', 'routingRules', 'integrations', 'timelines'],
  identified: ['users', 'teams', 'schedules', 'escalations', 'integrations'],
  apiUrl: 'https://api.opsgenie.com',
  authorization: (key) => `GenieKey ${key}`,
  readApi,
  toSource(lists, reading) {
    return {
      product: 'Opsgenie',
      people: readPeople(lists, reading),
      teams: lists('teams').map((team) => ({
        id: idOf(team),
        name: textOf(team, 'name') ?? '',
        description: textOf(team, 'description'),
        members: rowsIn(team, 'members').map((member) => ({
          personId: idOf(objectOf(member, 'user') ?? {}),
          isLead: textOf(member, 'role') === 'admin',
        })),
      })),
      schedules: readSchedules(lists, reading),
      policies: readPolicies(lists, reading),
      actionGroups: readActionGroups(lists, reading),
    };
  },
  shiftsOf: (lists) => lists('timelines').flatMap(shiftsOf),
};

function readPeople(
  lists: SourceLists,
  { report }: SourceReading,
): Map<string, { name: string; email: string | null }> {
  const people = new Map<string, { name: string; email: string | null }>();
  for (const user of lists('users')) {
    const email = textOf(user, 'username');
    const name = textOf(user, 'fullName') ?? email ?? idOf(user);
    if (user['blocked'] === true) report.untaken('user', name, 'the user is blocked');
    else people.set(idOf(user), { name, email });
  }
  return people;
}

/** All of its objects, by the names of the lists. */
async function readApi(get: GetPage, range: { fromMs: number; toMs: number } | null): Promise<Record<string, Row[]>> {
  const list = async (path: string, query = {}) => rowsIn(await get(path, query), 'data');
  const one = async (path: string, query = {}) => objectOf(await get(path, query), 'data') ?? {};
  const users = await readPages(async (_page, offset) => {
    const body = await get('/v2/users', { limit: PAGE, offset });
    return { items: rowsIn(body, 'data'), isLast: textOf(objectOf(body, 'paging') ?? {}, 'next') === null };
  });
  const [teams, routingRules, overrides, timelines, integrations]: Row[][] = [[], [], [], [], []];
  for (const team of await list('/v2/teams')) {
    const path = `/v2/teams/${encodeURIComponent(idOf(team))}`;
    teams!.push(await one(path));
    for (const rule of await list(`${path}/routing-rules`)) routingRules!.push({ ...rule, teamId: idOf(team) });
  }
  const schedules = await list('/v2/schedules', { expand: 'rotation' });
  for (const schedule of schedules) {
    const path = `/v2/schedules/${encodeURIComponent(idOf(schedule))}`;
    const _parent = { id: idOf(schedule) };
    for (const override of await list(`${path}/overrides`)) overrides!.push({ _parent, ...override });
    if (range) {
      const query = { interval: TIMELINE_DAYS, intervalUnit: 'days', date: new Date(range.fromMs).toISOString() };
      timelines!.push({ _parent, ...(await one(`${path}/timeline`, query)) });
    }
  }
  for (const integration of await list('/v2/integrations')) {
    const details = SENDERS.test(textOf(integration, 'type') ?? '')
      ? await one(`/v2/integrations/${encodeURIComponent(idOf(integration))}`)
      : {};
    integrations!.push({ ...integration, ...details });
  }
  const escalations = await list('/v2/escalations');
  return {
    users,
    teams: teams!,
    schedules: [...schedules],
    overrides: overrides!,
    escalations: [...escalations],
    routingRules: routingRules!,
    integrations: integrations!,
    timelines: timelines!,
  };
}

function shiftsOf(timeline: Row): SourceShift[] {
  const scheduleId = idOf(objectOf(timeline, '_parent') ?? {});
  return rowsIn(objectOf(timeline, 'finalTimeline') ?? {}, 'rotations').flatMap((rotation) =>
    rowsIn(rotation, 'periods').flatMap((period): SourceShift[] => {
      const recipient = objectOf(period, 'recipient') ?? {};
      const [startMs, endMs] = [momentIn(period, 'startDate'), momentIn(period, 'endDate')];
      return textOf(recipient, 'type') !== 'user' || startMs === null || endMs === null
        ? []
        : [{ scheduleId, startMs, endMs, personId: idOf(recipient) }];
    }),
  );
}

/** Its own webhooks, and connections to chats of which the URL is known, become action groups. Others receive alerts, or have an account that only their service knows. */
function readActionGroups(lists: SourceLists, reading: SourceReading): Map<string, SourceGroup> {
  const isWebhook = (one: Row) => textOf(one, 'type') === 'Webhook' || chatOf(urlOf(one)) !== undefined;
  for (const integration of lists('integrations'))
    if (!isWebhook(integration)) {
      const type = textOf(integration, 'type') ?? 'unknown';
      const way = `connect ${type} anew, or make a monitor of what it watches`;
      reading.report.untaken('integration', nameOf(integration), way);
    }
  const webhooks = lists('integrations')
    .filter(isWebhook)
    .map((one) => ({
      id: idOf(one),
      name: nameOf(one),
      url: urlOf(one),
      headers: objectOf(one, 'headers'),
      isOff: one['enabled'] === false,
    }));
  return readWebhooks('integration', webhooks, reading);
}
