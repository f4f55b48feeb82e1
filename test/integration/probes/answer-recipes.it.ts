import { expect } from 'chai';
import { HOUR_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createAuthority, selfSigned } from '../../support/certificates.js';
import { makeWorld } from '../../support/seed.js';
import { answer, redirectTo, type Answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { readRecipes, runRecipe, type RecipeMonitor } from './guide-recipes.js';
import { testProbes } from './probe-check.js';
import type { Probes } from '@watchpost/agent/probes/index';

interface Recipe {
  /** The answers of a site that is well, by path; a text is where it redirects to. */
  good: Record<string, Answer | string>;
  /** The difference, and its reason. */
  faults: [path: string, different: Answer | string, outcome: 'down' | 'degraded', reason: string][];
}

const json = (value: unknown): Answer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const health = (changed: object) => json({ status: 'ok', checks: [{ state: 'up' }], queue: { size: 7 }, ...changed });
const feed = (published: Date, modified: Date): Answer => ({
  ...json({ items: [{ date_published: published.toISOString() }, { date_published: '2001-01-01' }] }),
  headers: { 'last-modified': modified.toUTCString() },
});
const POLICY = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'set-cookie': ['a=1; Secure', 'b=2; Secure; HttpOnly'],
} as const;

const RECIPES: Record<string, Recipe> = {
  products: {
    good: { '/products': json({ products: [{}] }) },
    faults: [
      ['/products', json({ products: [] }), 'down', 'JSON $.products has 0 items instead of more than 0 items'],
      ['/products', { body: 'Welcome' }, 'down', 'JSON $.products could not be compared: the body is no JSON'],
    ],
  },
  health: {
    good: { '/health': health({}) },
    faults: [
      ['/health', health({ status: 'failing' }), 'down', 'JSON $.status is "failing" instead of "ok"'],
      [
        '/health',
        health({ checks: [{ state: 'up' }, { state: 'down' }] }),
        'down',
        'JSON $.checks[?@.state != "up"] has 1 item instead of 0 items',
      ],
      [
        '/health',
        health({ queue: { size: 1_000 } }),
        'degraded',
        'JSON $.queue.size is 1000 instead of less than 1000',
      ],
      [
        '/health',
        { ...health({}), headers: { 'content-type': 'text/html' } },
        'down',
        'Header content-type is "text/html" instead of containing "json"',
      ],
    ],
  },
  graphql: {
    good: { '/graphql': json({ data: { products: [{ id: 1, price: 5 }] } }) },
    faults: [
      ['/graphql', json({ errors: [{ message: 'x' }], data: null }), 'down', 'JSON $.errors is a list of 1 item'],
      ['/graphql', json({ data: { products: [] } }), 'down', 'JSON $.data.products has 0 items'],
      [
        '/graphql',
        json({ data: { products: [{ price: 5 }, { price: 0 }] } }),
        'down',
        'JSON $.data.products[*].price (2 of 2) is 0 instead of more than 0',
      ],
    ],
  },
  feed: {
    good: { '/feed.json': feed(hoursAgo(3), hoursAgo(2)) },
    faults: [
      ['/feed.json', feed(hoursAgo(30), hoursAgo(2)), 'down', 'JSON $.items[0].date_published is "20'],
      ['/feed.json', feed(hoursAgo(3), hoursAgo(30)), 'degraded', 'Header last-modified is "'],
    ],
  },
  moved: {
    good: { '/': '/welcome', '/welcome': {} },
    faults: [
      ['/', {}, 'down', 'The final URL is "https://'],
      ['/welcome', { status: 404 }, 'down', 'The status is 404 instead of 200'],
      ['/', '/one', 'degraded', 'The number of redirects is 3 instead of less than 3'],
    ],
  },
  headers: {
    good: { '/account': { headers: POLICY } },
    faults: [
      [
        '/account',
        { headers: { ...POLICY, 'strict-transport-security': 'max-age=300' } },
        'down',
        'Header strict-transport-security is "max-age=300" instead of matching "max-age=',
      ],
      [
        '/account',
        { headers: { ...POLICY, 'x-content-type-options': null } },
        'down',
        'Header x-content-type-options is missing',
      ],
      [
        '/account',
        { headers: { ...POLICY, 'set-cookie': ['a=1; Secure', 'b=2'] } },
        'down',
        'Header set-cookie (2 of 2) is *** instead of containing "Secure"',
      ],
      [
        '/account',
        { headers: { ...POLICY, 'x-powered-by': 'PHP' } },
        'degraded',
        'Header x-powered-by is "PHP" instead of being missing',
      ],
    ],
  },
};

/** Those that sign in or look at each address are tried in `reach-recipes.it.ts`, those with steps in `step-recipes.it.ts`. */
const TRIED_ELSEWHERE = ['orders', 'partners', 'dualStack', 'login', 'order'];

describe('The recipes of the guide to answers', () => {
  let app: TestApp;
  let site: Target;
  let probes: Probes;
  let monitors: Record<string, RecipeMonitor>;
  before(async () => {
    const authority = await createAuthority();
    site = await startTarget({ behaviour: answer({ status: 404 }), tls: await authority.issue() });
    probes = testProbes({ extraCertificates: [authority.rootPem] });
    app = await startTestApp();
    const { cert, key } = await selfSigned({ usage: 'clientAuth' });
    monitors = await readRecipes({
      ORDERS_CLIENT_SECRET: 'geheim',
      PARTNERS_CERTIFICATE: cert,
      PARTNERS_KEY: key,
      SHOP_PASSWORD: 'geheim',
      SHOP_KEY: 'geheim',
    });
  });
  after(async () => {
    probes.close();
    await site.close();
    await app.stop();
  });

  const reply = (given: Answer | string) => (typeof given === 'string' ? redirectTo(given) : answer(given));
  const check = (monitor: RecipeMonitor) => {
    const places = ['api', 'www', 'old'].map((name) => [`https://${name}.example.com`, site.url]);
    return runRecipe(probes, monitor, Object.fromEntries(places));
  };

  it('are a document that the service takes and exports as it is, and have all been tried', async () => {
    const world = await makeWorld(app, 'Enterprise');
    const document = { apiVersion: 'watchpost/v1', project: 'answers', monitors };
    const applied = await world.api('POST', '/api/v1/config/apply', { document });
    expect(applied.status, JSON.stringify(applied.body)).to.equal(200);
    expect(applied.body.summary).to.include({ create: Object.keys(monitors).length });
    const again = await world.api('POST', '/api/v1/config/plan', { document });
    expect(again.body.summary).to.include({ create: 0, update: 0 });
    const { body: exported } = await world.api('GET', '/api/v1/config/export');
    expect(exported.monitors.health.http.assertions[2]).to.include({
      property: '$.checks[?@.state != "up"]',
      comparison: 'countEquals',
      target: 0,
    });
    expect(Object.keys(monitors)).to.have.members([...Object.keys(RECIPES), ...TRIED_ELSEWHERE]);
  });

  for (const [name, { good, faults }] of Object.entries(RECIPES))
    it(`find what they are for: ${name}`, async () => {
      const monitor = monitors[name]!;
      site.route('/one', redirectTo('/two'));
      site.route('/two', redirectTo('/welcome'));
      const serve = (answers: typeof good) => {
        for (const [path, given] of Object.entries(answers)) site.route(path, reply(given));
      };
      serve(good);
      expect((await check(monitor)).outcome).to.deep.equal({ kind: 'up' });
      for (const [path, different, outcome, reason] of faults) {
        serve({ ...good, [path]: different });
        const { outcome: found, evidence } = await check(monitor);
        if (found.kind === 'up') expect([outcome, found.degraded]).to.deep.equal(['degraded', found.degraded]);
        else expect([outcome, found.kind, found.reason]).to.deep.equal(['down', 'down', 'assertion_failed']);
        const sentence = found.kind === 'up' ? found.degraded : found.message;
        expect(sentence).to.contain(reason);
        expect(evidence!.assertions).to.have.length(monitor.http.assertions.length);
      }
    });
});
