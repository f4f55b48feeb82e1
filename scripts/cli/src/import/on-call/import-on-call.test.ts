import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { grafanaAccount } from '../grafana-oncall/fixtures/grafana-account.js';
import { GRAFANA_ONCALL } from '../grafana-oncall/grafana-oncall.js';
import { finalTimeline, type OpsgenieRotation } from '../opsgenie/fixtures/final-timeline.js';
import { OPSGENIE_SECRET, opsgenieAccount } from '../opsgenie/fixtures/opsgenie-account.js';
import { OPSGENIE } from '../opsgenie/opsgenie.js';
import { type Row, UnreadableFile } from '../rows.js';
import { importOnCall, readLists } from './import-on-call.js';
import type { OnCallProduct } from './source.js';

const NOW_MS = Date.UTC(2026, 10, 25, 10, 30);
const RANGE = { fromMs: NOW_MS, toMs: NOW_MS + 30 * DAY_MS };

async function imported(product: OnCallProduct, lists: object, verified: 'api' | 'file' | null = null) {
  const read = readLists(Buffer.from(JSON.stringify(lists)), product);
  const { document, report, comparison, environment } = await importOnCall(product, read, {
    nowMs: NOW_MS,
    withSecrets: false,
    verified,
  });
  return { document, parsed: (await parse(document)) as Parsed, report: report.join('\n'), comparison, environment };
}
interface ParsedTeam {
  schedules: { name: string; layers: { name: string; participants: string[] }[] }[];
  overrides?: object[];
  escalationPolicies?: object[];
}
interface Parsed {
  actionGroups: Record<string, object>;
  teams: Record<string, ParsedTeam>;
}
async function parse(document: string): Promise<unknown> {
  const { parse } = await import('yaml');
  return parse(document);
}

/** An account with one schedule of one team. */
function accountOf(rotations: readonly object[], more: Row = {}): Row {
  const users = ['ada', 'bob', 'cyd', 'dan'].map((id) => ({ id, username: `${id}@acme.example`, fullName: id }));
  return {
    users,
    teams: [{ id: 'team', name: 'Shop', members: users.map((user) => ({ user, role: 'user' })) }],
    schedules: [
      { id: 's', name: 'Shop', timezone: 'Asia/Kolkata', enabled: true, ownerTeam: { id: 'team' }, rotations },
    ],
    ...more,
  };
}
const rotation = (more: object = {}): OpsgenieRotation =>
  ({
    id: 'r',
    name: 'r',
    startDate: new Date(Math.floor(NOW_MS / HOUR_MS) * HOUR_MS - 50 * DAY_MS).toISOString(),
    endDate: null,
    type: 'daily',
    length: 1,
    participants: [
      { type: 'user', id: 'ada' },
      { type: 'user', id: 'bob' },
    ],
    ...more,
  }) as OpsgenieRotation;

describe('The import of on-call settings', () => {
  it('puts the same people on call in each half hour of 30 days, whatever the rotations of Opsgenie are', async () => {
    const half = fc.constantFrom(0, 30);
    const edges = fc.record({
      startHour: fc.integer({ min: 0, max: 23 }),
      startMin: half,
      endHour: fc.integer({ min: 0, max: 23 }),
      endMin: half,
    });
    const day = fc.constantFrom('monday', 'wednesday', 'friday', 'saturday', 'sunday');
    const restriction = fc.oneof(
      fc.constant(undefined),
      edges.map((one) => ({ type: 'time-of-day', restriction: one })),
      fc.array(fc.tuple(day, edges, day), { minLength: 1, maxLength: 3 }).map((list) => ({
        type: 'weekday-and-time-of-day',
        restrictions: list.map(([startDay, one, endDay]) => ({ startDay, ...one, endDay })),
      })),
    );
    const rotations = fc.array(
      fc.record({
        type: fc.constantFrom('hourly' as const, 'daily' as const, 'weekly' as const),
        length: fc.integer({ min: 1, max: 5 }),
        halfHours: fc.integer({ min: -3_000, max: 400 }),
        people: fc.shuffledSubarray(['ada', 'bob', 'cyd', 'dan'], { minLength: 1 }),
        restriction,
      }),
      { minLength: 1, maxLength: 3 },
    );
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(rotations, async (given) => {
        const list = given.map(({ halfHours, people, restriction: timeRestriction, ...one }, index) =>
          rotation({
            ...one,
            id: `r${index}`,
            startDate: new Date(Math.floor(NOW_MS / HOUR_MS) * HOUR_MS + halfHours * 30 * MINUTE_MS).toISOString(),
            participants: people.map((id) => ({ type: 'user', id })),
            ...(timeRestriction ? { timeRestriction } : {}),
          }),
        );
        const timeline = finalTimeline(list, [], { ...RANGE, offsetMs: 5.5 * HOUR_MS });
        const timelines = [{ _parent: { id: 's' }, ...timeline }];
        const { report, comparison } = await imported(OPSGENIE, accountOf(list, { timelines }), 'api');
        // Who has a turn that nobody is on call in is counted otherwise, and the report names it.
        if (/turns do not count these|at most 8 layers/.test(report)) return;
        compared++;
        expect(comparison!.differences).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );
    expect(compared).to.be.greaterThan(5);
  });

  it('lists each time in which other people are on call', async () => {
    const timeline = finalTimeline([rotation()], [], { ...RANGE, offsetMs: 5.5 * HOUR_MS });
    const swapped = rotation({ participants: rotation().participants.toReversed() });
    const timelines = [{ _parent: { id: 's' }, ...timeline }];
    const { comparison } = await imported(OPSGENIE, accountOf([swapped], { timelines }), 'api');
    expect(comparison!.differences).to.have.lengthOf(31);
    expect(comparison!.differences[1]).to.equal(
      'schedule "Shop": 2026-11-26T10:00Z to 2026-11-27T10:00Z: bob@acme.example in Opsgenie, ada@acme.example here',
    );
  });

  it('compares a file of another day where its final schedule reaches, and one that a service answers everywhere', async () => {
    const account = (days: number, length: number) => {
      const range = { fromMs: NOW_MS + days * DAY_MS, toMs: NOW_MS + (days + length) * DAY_MS };
      const timeline = finalTimeline([rotation()], [], { ...range, offsetMs: 5.5 * HOUR_MS });
      return accountOf([rotation()], { timelines: [{ _parent: { id: 's' }, ...timeline }] });
    };
    const rangeOf = async (days: number, length = 30) => {
      const { differences, from, to } = (await imported(OPSGENIE, account(days, length), 'file')).comparison!;
      expect(differences, String(days)).to.deep.equal([]);
      return [from, to].map((moment) => (Date.parse(moment) - NOW_MS) / DAY_MS);
    };
    expect(await rangeOf(-10)).to.deep.equal([0, 20]);
    expect(await rangeOf(4)).to.deep.equal([4, 30]);
    expect(await rangeOf(-1, 60)).to.deep.equal([0, 30]);
    const { comparison } = await imported(OPSGENIE, account(-10, 30), 'api');
    expect(comparison!.differences.at(-1)).to.match(/: nobody in Opsgenie, \w+@acme.example here$/);
    for (const [product, lists] of [
      [OPSGENIE, account(-40, 30)],
      [OPSGENIE, accountOf([rotation()], { timelines: [{ _parent: { id: 's' }, finalTimeline: {} }] })],
      [GRAFANA_ONCALL, { ...grafanaAccount(NOW_MS), final_shifts: [] }],
    ] as const) {
      const fault = await imported(product, lists, 'file').catch((error: unknown) => error);
      expect(String(fault)).to.match(/no shifts of the final schedule of .* in the next 30 days/);
    }
    const unanswered = await imported(GRAFANA_ONCALL, grafanaAccount(NOW_MS), 'api');
    expect(unanswered.comparison!.differences.join()).to.match(/nobody in Grafana OnCall/);
    const shift = { shift_start: new Date(NOW_MS).toISOString(), shift_end: new Date(RANGE.toMs).toISOString() };
    for (const [person, name] of [
      [{ user_pk: 'U9', user_email: 'Gone@acme.example', user_username: 'gone' }, 'gone@acme.example'],
      [{ user_pk: 'U9' }, 'U9'],
    ] as const) {
      const unknown = { ...grafanaAccount(NOW_MS), final_shifts: [{ schedule_id: 'Primary', ...person, ...shift }] };
      const { comparison: compared } = await imported(GRAFANA_ONCALL, unknown, 'api');
      expect(compared!.differences.join(), name).to.contain(`: ${name} in Grafana OnCall, `);
    }
  });

  it('names everything of Opsgenie that it does not take over', async () => {
    const { report, document, parsed, environment } = await imported(OPSGENIE, opsgenieAccount(NOW_MS));
    expect(Object.keys(parsed.teams)).to.have.lengthOf(9);
    for (const line of [
      'user "Person 39": not taken over: the user is blocked',
      'routing rule "At night": not taken over',
      'integration "Chat": not taken over: connect Slack anew',
      'schedule "Schedule 3": becomes 2 schedules, because its rotations overlap',
      'schedule "Schedule 11": belongs to no team there',
      'escalation policy "Escalation 1": pages the whole team, where it was "random"',
      'escalation policy "Escalation 8": counts for no incident until the policies before it have fewer `severities`',
    ])
      expect(report).to.contain(line);
    expect(document + report).not.to.contain(OPSGENIE_SECRET);
    expect(Object.values(environment)).to.deep.equal([
      `https://hooks.slack.com/services/${OPSGENIE_SECRET}`,
      `https://hooks.acme.example/${OPSGENIE_SECRET}`,
    ]);
    expect(parsed.actionGroups['room']).to.deep.include({ type: 'slack', name: 'Room' });
    expect(parsed.actionGroups['room']).to.have.keys('type', 'name', 'webhookUrl');
    expect(parsed.teams['team-1']!.overrides).to.have.lengthOf(1);
  });

  it('takes each kind of shift of Grafana OnCall that repeats by the week, and names the others', async () => {
    const { report, parsed } = await imported(GRAFANA_ONCALL, grafanaAccount(NOW_MS));
    const { schedules, overrides } = parsed.teams['shop']!;
    expect(schedules.map(({ name }) => name)).to.deep.equal(['Primary', 'Days', 'Pairs', 'Pairs 2']);
    expect(schedules[0]!.layers[1]).to.deep.include({
      rotation: { unit: 'week', every: 1, handoffTime: '09:00', handoffDay: 'monday' },
      restrictions: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], start: '09:00', end: '17:00' }],
    });
    expect(schedules[1]!.layers[0]!.participants).to.deep.equal(
      ['bob', 'cyd', 'ada'].map((name) => `${name}@acme.example`),
    );
    expect(overrides).to.have.lengthOf(1);
    expect(parsed.teams['shop']!.escalationPolicies).to.deep.equal([
      {
        name: 'Default',
        steps: [
          { after: 'PT0S', targets: [{ type: 'onCall', schedule: 1 }] },
          {
            after: 'PT5M',
            targets: [
              { type: 'user', email: 'bob@acme.example' },
              { type: 'user', email: 'cyd@acme.example' },
              { type: 'actionGroup', actionGroup: 'hook' },
            ],
          },
        ],
        repeat: 5,
      },
    ]);
    for (const line of [
      'escalation policy "Default": is without a step "notify_whole_channel"',
      'shift "monthly" of "Odd": not taken over',
      'shift "gaps" of "Odd": not taken over: it leaves times',
      'schedule "Calendar": not taken over',
      'user "dan": not taken over',
      'notification rules "ada": not taken over',
      'integration "Alerts": not taken over',
    ])
      expect(report).to.contain(line);
  });

  it('of rotations at one time keeps all people, under those of a higher level', async () => {
    const account = grafanaAccount(NOW_MS);
    account.schedules = [{ ...account.schedules[0]!, name: 'Both', shifts: ['week', 'daily', 'weekdays'] }];
    const { parsed } = await imported(GRAFANA_ONCALL, account);
    const names = parsed.teams['shop']!.schedules.map(({ layers }) => layers.map(({ name }) => name));
    expect(names).to.deep.equal([
      ['week', 'weekdays'],
      ['daily', 'weekdays'],
    ]);
  });

  it('takes any value in any place, and no object is lost in silence', async () => {
    const pathsIn = (value: unknown, at: readonly string[] = []): string[][] => [
      ...(at.length > 2 ? [[...at]] : []),
      ...(typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...at, key]))
        : []),
    ];
    const odd = fc.constantFrom<unknown>(
      ...['', 'constructor', '__proto__', 'x'.repeat(9_000), '=1+1', '5', '2026-11-25T10:00', -1, 0, 1.5, 1e308, true],
      ...[null, [], {}, [null], { toString: 1, valueOf: 1 }, [{ toString: 1 }]],
    );
    for (const [product, account] of [
      [OPSGENIE, opsgenieAccount(NOW_MS)],
      [GRAFANA_ONCALL, grafanaAccount(NOW_MS)],
    ] as const)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...pathsIn(account)), odd, async (path, value) => {
          const copy = structuredClone(account) as object;
          const holder = path.slice(0, -1).reduce((one: object, key) => Reflect.get(one, key) as object, copy);
          Reflect.set(holder, path.at(-1)!, value);
          const { report } = await importOnCall(product, readLists(Buffer.from(JSON.stringify(copy)), product), {
            nowMs: NOW_MS,
            withSecrets: false,
            verified: null,
          });
          for (const line of report) expect(line.length, line).to.be.below(6_000);
          expect(report.join()).not.to.match(/\[object|undefined|NaN|Infinity|function/);
        }),
        { numRuns: 40 },
      );
    const user = (id: string, more: object = {}) => ({ id, username: `${id}@acme.example`, ...more });
    const account = accountOf([rotation({ endDate: 'never' }), rotation({ id: 'ok' })], {
      users: [user('ada'), user('bob'), user('ada', { fullName: 'Second' }), { fullName: 'Nameless' }],
      overrides: [
        { _parent: { id: 's' }, alias: 'undated', user: { id: 'ada' }, startDate: 'soon', endDate: 'later' },
        { _parent: { id: 'x' }, alias: 'lost', startDate: '2026-12-01T00:00Z', endDate: '2026-12-02T00:00Z' },
        { _parent: { id: 's' }, alias: 'turned', startDate: '2026-12-02T00:00Z', endDate: '2026-12-01T00:00Z' },
      ],
      routingRules: [{ id: 'rule', name: 'Nobody', isDefault: true, notify: { type: 'none' } }],
      escalations: [{ id: 'e', name: 'E', ownerTeam: { id: 'team' }, rules: [{ recipient: { type: '__proto__' } }] }],
    });
    (account['teams'] as Row[]).push({ id: 'team', name: 'Twin' }, { id: 'other', description: 'x'.repeat(2_000) });
    const { report, parsed } = await imported(OPSGENIE, account);
    for (const line of [
      'users "ada@acme.example": not taken over: its id "ada" is that of one before it',
      'users "": not taken over: it has no id',
      'teams "Twin": not taken over: its id "team" is that of one before it',
      'team "Shop": is without 2 members not taken over',
      'team "Team other": has the first 1000 characters of its description',
      'rotation "r" of "Shop": not taken over: its end is no date',
      'override "undated": not taken over: its times are no dates',
      'override "lost": not taken over: its schedule is not there',
      'override "turned": not taken over: it ends before it begins',
      'routing rule "Nobody": not taken over: it chooses no escalation',
      'is without a target of the kind "__proto__"',
    ])
      expect(report).to.contain(line);
    expect(Object.keys(parsed.teams)).to.deep.equal(['shop', 'team-other']);
  });

  it('keeps what a policy may have, and the day of handoffs of a schedule in its short form', async () => {
    const account = grafanaAccount(NOW_MS);
    account.escalation_policies = [
      { id: 'a', type: 'wait', duration: 80_000 },
      { id: 'b', type: 'notify_persons', persons_to_notify: ['gone'] },
      { id: 'c', type: 'wait', duration: 80_000.4 },
      { id: 'd', type: 'wait', duration: -5 },
      { id: 'e', type: 'notify_persons', persons_to_notify: ['U1'] },
    ].map((one, position) => ({ ...one, position, escalation_chain_id: 'F0' }));
    account.schedules = [{ ...account.schedules[0]!, name: 'On call', shifts: ['week'] }];
    account.on_call_shifts = [{ ...account.on_call_shifts[0]!, by_day: ['WE'], week_start: 'WE' }];
    const { parsed, report } = await imported(GRAFANA_ONCALL, account);
    expect(parsed.teams['shop']!.escalationPolicies).to.deep.equal([
      { name: 'Default', steps: [{ after: 'PT24H', targets: [{ type: 'user', email: 'bob@acme.example' }] }] },
    ]);
    expect(report).to.contain('waits at most a day for a step');
    expect(parsed.teams['shop']).to.have.nested.property('schedule.handoffDay', 'wednesday');
  });

  it('ends hostile files with a clear reason, and hostile objects with a line in the report', async () => {
    const read = (text: string) => () => readLists(Buffer.from(text), OPSGENIE);
    expect(read('{"users": [\0]}')).to.throw(UnreadableFile, 'This file is no JSON');
    expect(read('[]')).to.throw(UnreadableFile, 'has none of the lists of Opsgenie: users');
    expect(read('{"users": {"a": 1}}')).to.throw(UnreadableFile, '"users" is no list of objects');
    expect(read('{"users": [null]}')).to.throw(UnreadableFile, '"users" is no list of objects');
    const many = await imported(OPSGENIE, { users: Array.from({ length: 100_001 }, () => ({})) }).catch(
      (error: unknown) => error,
    );
    expect(String(many)).to.contain('"users" has 100001 objects; at most 100000 can be imported');
    for (const [rotations, more, reason] of [
      [
        [],
        { schedules: [{ id: 's', name: 'Shop', timezone: 'Mars/Base', rotations: [rotation()] }] },
        'its time zone "Mars/Base" is not known',
      ],
      [[rotation({ participants: [] })], {}, 'none of its people is taken over'],
      [
        [
          rotation({
            participants: [
              { type: 'escalation', id: 'e' },
              { type: 'team', id: 'team' },
            ],
          }),
        ],
        {},
        'is without its turns of escalation and team',
      ],
      [[rotation({ startDate: 'soon' })], {}, 'its start is no date'],
      [[rotation({ startDate: '0001-01-01T00:00:00Z' })], {}, 'its dates are out of range'],
      [[rotation({ length: 1e9 })], {}, 'a shift of 1000000000 days is not possible'],
      [[rotation({ type: 'yearly' })], {}, 'its type is "yearly"'],
      [
        [rotation({ timeRestriction: { type: 'time-of-day', restriction: { startHour: 99 } } })],
        {},
        'its time restriction cannot be read',
      ],
      [[rotation()], { other: [{}] }, '"other": not taken over'],
      [Array.from({ length: 5_000 }, () => rotation()), {}, 'has more than 100 rotations'],
    ] as [object[], Row, string][])
      expect((await imported(OPSGENIE, accountOf(rotations, more))).report).to.contain(reason);
    const { document } = await imported(OPSGENIE, accountOf([rotation({ name: 'a\0b\u202ec\nd' })]));
    expect(document).to.contain('name: a b c d');
  });
});
