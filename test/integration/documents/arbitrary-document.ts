import fc from 'fast-check';
import type { Json } from '../../support/product.js';

/** In documents, these are in the place of what differs between workspaces: addresses of members, and slugs. */
export const PEOPLE = ['person-0', 'person-1', 'person-2'] as const;
export const SLUG = 'slug-of-the-page';
export const SECRET = 'Bearer of-the-site';
export const CHAT_URL = 'https://hooks.slack.com/services/T1/B1/secret1';

const or = <Value>(...values: Value[]) => fc.constantFrom(...values);
const keysOf = (section: object | undefined) => Object.keys(section ?? {});
const some = (keys: readonly string[], least = 0) =>
  fc.subarray([...keys], { minLength: Math.min(least, keys.length) });
const oneOrNone = (keys: readonly string[]) =>
  keys.length === 0 ? fc.constant(null) : fc.option(fc.constantFrom(...keys));

const anyOf = (objects: Record<string, fc.Arbitrary<object>>) =>
  fc.record(objects, { requiredKeys: [] }) as fc.Arbitrary<Record<string, Json>>;

const headers = fc
  .subarray([
    ['Authorization', SECRET],
    ['X-Team', 'shop'],
  ])
  .map((entries) => Object.fromEntries(entries));

const named = (key: string) => or(`${key} one`, `${key} two`);
type Fields = Record<string, fc.Arbitrary<unknown>>;
const optional = (required: Fields, more: Fields): fc.Arbitrary<object> =>
  fc.record({ ...required, ...more }, { requiredKeys: Object.keys(required) });

const serviceGroup = (key: string) => optional({ name: named(key) }, { hostname: or(null, 'shop.example') });

const attachTo = optional({}, { tags: some(['team:web', 'env:prod']), all: fc.boolean() });

const actionGroups = anyOf({
  hook: optional(
    { name: named('hook'), type: or('webhook'), url: or('https://hooks.example.com/a', 'https://other.example.com/') },
    { headers, isEnabled: fc.boolean() },
  ),
  chat: optional(
    { name: named('chat'), type: or('slack'), webhookUrl: or(CHAT_URL) },
    { isEnabled: fc.boolean(), attachTo },
  ),
});

function monitors(groups: readonly string[], channels: readonly string[]) {
  const common = (key: string) => ({ name: named(key), actionGroups: some(channels) });
  const rest = { tags: some(['team:web', 'env:prod']), serviceGroup: oneOrNone(groups) };
  return anyOf({
    site: optional(
      { ...common('site'), url: or('https://shop.example/', 'https://other.example/health') },
      {
        ...rest,
        monitorTypes: or(['HttpAvailability'], ['HttpAvailability', 'SslCertificate']),
        checkInterval: or('PT1M', 'PT5M'),
        numberOfChecksBeforeAlert: or(1, 3),
        enabledRegions: some(['eastus2', 'japaneast']),
        http: fc.record({ headers, method: or('GET', 'HEAD') }, { requiredKeys: [] }),
      },
    ),
    speed: optional(
      { ...common('speed'), url: or('https://shop.example/'), monitorTypes: or(['Latency']) },
      { ...rest, checkTimeout: or('PT9S', 'PT20S') },
    ),
    job: optional(
      {
        ...common('job'),
        monitorTypes: or(['Heartbeat']),
        heartbeat: or(
          { every: 'PT1H' },
          { cron: '30 2 * * *', grace: 'PT10M' },
          { cron: '0 4 * * 1', timezone: 'Asia/Tokyo', maxRuntime: 'PT1H' },
        ),
      },
      rest,
    ),
  });
}

/** The same monitors, of which some depend on others, in any order and without a circle. */
function dependent(monitors: Record<string, Json>): fc.Arbitrary<Record<string, Json>> {
  const keys = keysOf(monitors);
  return fc
    .shuffledSubarray(keys, { minLength: keys.length })
    .chain((order) =>
      fc.tuple(...order.map((key, at) => some(order.slice(0, at)).map((dependsOn) => ({ key, dependsOn })))),
    )
    .map((all) =>
      Object.fromEntries(
        keys.map((key) => {
          const { dependsOn } = all.find((one) => one.key === key)!;
          return [key, dependsOn.length === 0 ? monitors[key] : { ...monitors[key], dependsOn }];
        }),
      ),
    );
}

function statusPages(groups: readonly string[], known: readonly string[]) {
  const systems = fc
    .tuple(some(groups), some(known))
    .map(([ofGroups, ofMonitors]) => [
      ...ofGroups.map((serviceGroup) => ({ name: `Group ${serviceGroup}`, serviceGroup })),
      ...ofMonitors.map((monitor) => ({ name: `Monitor ${monitor}`, monitor, overrideStatus: null })),
    ]);
  return anyOf({
    page: optional(
      { name: named('page'), slug: or(SLUG) },
      {
        isPublished: fc.boolean(),
        theme: or('light', 'dark'),
        description: or('', 'About'),
        groups: systems.map((all) => [{ name: 'Sites', systems: all }]),
      },
    ),
  });
}

function windows(groups: readonly string[], known: readonly string[], pages: readonly string[]) {
  const scope = fc.oneof(
    fc.constant({ all: true }),
    optional({ tags: or(['team:web']) }, { monitors: some(known), serviceGroups: some(groups) }),
  );
  const one = (key: string) =>
    optional(
      {
        name: named(key),
        startsAt: or('2027-01-03T02:00', '2026-02-01T02:00:30'),
        duration: or('PT1H', 'PT90M'),
        scope,
      },
      {
        recurrence: or(null, 'FREQ=WEEKLY', 'freq=monthly;bymonthday=3'),
        timezone: or('UTC', 'Europe/Dublin'),
        checks: or('run', 'pause'),
        statusPages: some(pages),
      },
    );
  return anyOf({ weekly: one('weekly'), single: one('single') });
}

function teams(groups: readonly string[]) {
  const one = (key: string) =>
    some(PEOPLE).chain((people) => {
      const schedule = optional(
        {
          rotation: or('daily', 'weekly'),
          participants: fc.shuffledSubarray(people, { minLength: Math.min(1, people.length) }),
          startDate: or('2026-11-02', '2026-10-05'),
        },
        { timezone: or('UTC', 'Asia/Tokyo'), handoffTime: or('09:00', '17:30') },
      );
      const members = people.map((email) => or({ email }, { email, teamRole: 'lead' }));
      return optional(
        {
          name: named(key),
          members: fc.tuple(...members).chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
        },
        {
          description: or(null, 'Who answers'),
          serviceGroups: some(groups),
          ...(people.length === 0 ? {} : { schedule: fc.option(schedule) }),
        },
      );
    });
  return anyOf({ web: one('web'), night: one('night') });
}

/**
 * Whole documents with a few keys in every section, so that two of them share some. What a document may leave alone
 * (`actionGroups`, `startDate`) is always given.
 */
export const documents: fc.Arbitrary<Json> = fc
  .tuple(anyOf({ shop: serviceGroup('shop'), blog: serviceGroup('blog') }), actionGroups)
  .chain(([serviceGroups, channels]) =>
    monitors(keysOf(serviceGroups), keysOf(channels))
      .chain(dependent)
      .chain((known) =>
        statusPages(keysOf(serviceGroups), keysOf(known)).chain((pages) =>
          fc.record({
            apiVersion: fc.constant('watchpost/v1'),
            project: fc.constant('shop'),
            serviceGroups: fc.constant(serviceGroups),
            actionGroups: fc.constant(channels),
            monitors: fc.constant(known),
            statusPages: fc.constant(pages),
            maintenanceWindows: windows(keysOf(serviceGroups), keysOf(known), keysOf(pages)),
            teams: teams(keysOf(serviceGroups)),
          }),
        ),
      ),
  );
