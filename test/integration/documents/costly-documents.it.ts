import { expect } from 'chai';
import { expectShortTurns } from '../../support/longest-turn.js';
import type { Json } from '../../support/product.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

const MOST_OBJECTS = 5_000;

const objectsOf = (count: number, of: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, of(index)]));
const listOf = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index));
const HEAD = { apiVersion: 'watchpost/v1', project: 'worst' };
/** @param sections as an object or, without the head, as YAML */
const documentOf = (sections: object | string) =>
  typeof sections === 'string' ? `${JSON.stringify(HEAD).slice(0, -1)}, ${sections}}` : { ...HEAD, ...sections };

/** By what is costly about them. */
const WORST: Readonly<Record<string, object | string>> = {
  'invalid heartbeats that never match': {
    monitors: objectsOf(MOST_OBJECTS, (index) => ({
      monitorTypes: ['Heartbeat'],
      heartbeat: { cron: `${index % 60} ${Math.floor(index / 60) % 24} 30 2 *` },
    })),
  },
  'heartbeats that match every 28 years': {
    monitors: objectsOf(MOST_OBJECTS, (index) => ({
      name: `J${index}`,
      monitorTypes: ['Heartbeat'],
      heartbeat: { cron: `${index % 60} ${Math.floor(index / 60) % 24} 29 2 +1` },
    })),
  },
  'monitors that are no objects': { monitors: objectsOf(MOST_OBJECTS, () => 1) },
  'monitors with unknown fields': { monitors: objectsOf(MOST_OBJECTS, () => ({ a: 1, b: 2, c: 3 })) },
  'monitors beyond the plan': {
    monitors: objectsOf(MOST_OBJECTS, (index) => ({ name: `M${index}`, url: `https://m${index}.example/` })),
  },
  'defaults with thousands of fields': {
    defaults: objectsOf(9_000, () => 1),
    monitors: objectsOf(1_000, () => ({ url: 'https://a.example/' })),
  },
  'long lists of tags': {
    monitors: objectsOf(9, () => ({ url: 'https://a.example/', tags: listOf(9_000, (index) => index) })),
  },
  'long lists of dependencies': {
    monitors: objectsOf(9, (index) => ({ url: 'https://a.example/', dependsOn: listOf(9_000, () => `k${index + 1}`) })),
  },
  'a chain of dependencies': {
    monitors: objectsOf(MOST_OBJECTS, (index) => ({ url: 'https://a.example/', dependsOn: [`k${index + 1}`] })),
  },
  'many headers': {
    monitors: objectsOf(9, () => ({ url: 'https://a.example/', http: { headers: objectsOf(9_000, () => 'x') } })),
  },
  'service groups': { serviceGroups: objectsOf(MOST_OBJECTS, () => ({ name: '' })) },
  'action groups of no type': { actionGroups: objectsOf(MOST_OBJECTS, () => ({ type: 'fax' })) },
  'action groups with invalid URLs': {
    actionGroups: objectsOf(MOST_OBJECTS, () => ({ type: 'webhook', name: 'W', url: 'ftp://x' })),
  },
  'action groups with many addresses': {
    actionGroups: objectsOf(9, () => ({ type: 'email', name: 'E', emails: listOf(9_000, () => 'nobody') })),
  },
  'status pages with many systems': {
    statusPages: objectsOf(9, (index) => ({
      name: 'P',
      slug: `p${index}`,
      groups: listOf(90, () => ({ name: 'G', systems: listOf(90, () => ({ name: 'S', monitor: 'none' })) })),
    })),
  },
  'status pages with long texts': {
    statusPages: objectsOf(50, (index) => ({ name: 'P'.repeat(20_000), slug: `p${index}`, groups: [] })),
  },
  'windows that recur for ever': {
    maintenanceWindows: objectsOf(MOST_OBJECTS, (index) => ({
      name: `W${index}`,
      startsAt: '1970-01-01T00:00',
      duration: 'PT1M',
      recurrence: 'FREQ=DAILY;COUNT=10000',
      scope: { all: true },
    })),
  },
  'windows with invalid recurrences': {
    maintenanceWindows: objectsOf(MOST_OBJECTS, () => ({ name: 'W', startsAt: 'never', recurrence: 'FREQ=NEVER' })),
  },
  'teams with many members': {
    teams: objectsOf(9, () => ({ name: 'T', members: listOf(9_000, (index) => ({ email: `m${index}@x.example` })) })),
  },
  'unknown sections': objectsOf(9_000, () => ({})),
  'a megabyte of binary data': `monitors: { a: !!binary ${'A'.repeat(1_000_000)} }`,
};

describe('A document that is meant to be costly', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Enterprise');
  before(async () => {
    // What is compiled at first use is not to be measured.
    for (const sections of Object.values(WORST)) await plan(documentOf(first(sections)));
  });

  const plan = (document: unknown): Promise<Json> =>
    world.api('POST', '/api/v1/config/plan', JSON.stringify({ document }));
  /** The same with few objects. */
  const first = (sections: object | string) =>
    Object.fromEntries(
      Object.entries(sections)
        .slice(0, 10)
        .map(([section, objects]) => [section, Object.fromEntries(Object.entries(objects as object).slice(0, 3))]),
    );

  for (const [what, sections] of Object.entries(WORST))
    it(`because of ${what} never holds the event loop for long`, async () => {
      const document = documentOf(sections);
      await expectShortTurns(async () => expect((await plan(document)).status).to.be.oneOf([200, 400, 403]));
    });

  it('because of many steps is planned, applied and exported, and none of it holds the event loop', async () => {
    const steps = (index: number) =>
      listOf(9, (step) => ({
        name: `step ${step}`,
        url: `https://m${index}.example/${step}`,
        method: 'POST',
        body: 'p={{password}}',
      }));
    const monitors = objectsOf(200, (index) => ({
      name: `M${index}`,
      url: `https://m${index}.example/`,
      http: { variables: { password: { secret: `pa55-of-m${index}` } }, steps: steps(index) },
    }));
    const document = documentOf({ monitors });
    await expectShortTurns(() => plan(document), 'of the plan');
    expect((await world.api('POST', '/api/v1/config/apply', JSON.stringify({ document }))).status).to.equal(200);
    const { body: again } = await plan(document);
    expect(again.summary).to.include({ create: 0, update: 0, unchanged: 200 });
    let exported = {} as Json;
    await expectShortTurns(
      async () => (exported = (await world.api('GET', '/api/v1/config/export')).body),
      'of the export',
    );
    expect(Object.keys(exported.monitors)).to.have.length(200);
    expect(exported.monitors.k7.http.variables).to.deep.equal({ password: { secret: { env: 'K7_SECRET' } } });
  });
});
