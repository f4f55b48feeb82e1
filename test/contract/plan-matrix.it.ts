import { expect } from 'chai';
import { EXTRA_REGIONS } from '@watchpost/shared/region';
import { factsOf, MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { newId } from '@watchpost/shared/id';
import { makeWorld, seedMonitor, type World } from '../support/seed.js';
import type { ApiResponse } from '../support/product.js';
import { countCases, expectFault, expectStatus, show } from './case-count.js';
import { columnOf, FEATURE_ROWS, leastPlan, LIMIT_ROWS, PLANS_IN_ORDER, TYPE_ROWS, WINDOW_ROWS } from './plan-rows.js';
import { COUNTED, createPage, FEATURES } from './plan-uses.js';
import { app } from './subject.js';

const ofType = (type: string): object =>
  type === 'Heartbeat'
    ? { name: 'Backup', heartbeat: { every: 'PT1H' } }
    : { url: factsOf(type as MonitorType).url.example };

function expectLimit(answer: ApiResponse, key: keyof typeof LIMIT_ROWS, value: number): void {
  expectFault(key, answer, 403, 'plan_limit_exceeded');
  const plan = leastPlan((name) => (columnOf(LIMIT_ROWS, name)[key] ?? Infinity) > value);
  expect(answer.body.details[0], show(answer)).to.include({ limit: key, value, plan });
}

describe('the limits and features of each plan', () => {
  for (const plan of PLANS_IN_ORDER) {
    const limits = columnOf(LIMIT_ROWS, plan);
    const types = columnOf(TYPE_ROWS, plan);
    const features = columnOf(FEATURE_ROWS, plan);

    describe(plan, () => {
      let world: World;
      before(async () => {
        world = await makeWorld(app, plan);
      });

      it('is listed as a product with its limits', async () => {
        const { body: products } = await world.api('GET', '/api/v1/product');
        const product = products.find(({ name }: { name: string }) => name === plan);
        expect(product.limits).to.deep.equal(limits);
        const has = (row: object) => Object.entries(row).flatMap(([name, included]) => (included ? [name] : []));
        expect(product.features).to.deep.include({ ...features, timelineWindows: has(columnOf(WINDOW_ROWS, plan)) });
        expect(product.features.monitorTypes).to.have.members(has(types));
        expect(product.checkInterval).to.deep.equal({ minimum: 'PT1M', maximum: 'PT1H' });
        const { body: workspace } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
        expect(workspace).to.deep.include({ plan, limits });
        countCases(2);
      });

      it(`has ${limits.monitors} monitors over all workspaces of the owner, paused ones too`, async () => {
        await seedMonitor(world, { monitoringStatus: 'paused' });
        await copyMonitors(world, limits.monitors - 2);
        const elsewhere = { api: app.as(world.owner.sub, { workspaceId: world.owner.workspaceId }) };
        await seedMonitor(elsewhere);
        for (const { api } of [world, elsewhere]) {
          expectLimit(
            await api('POST', '/api/v1/monitor', { url: 'https://shop.example/' }),
            'monitors',
            limits.monitors,
          );
        }
        const { body: workspace } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
        expect(workspace.usage.monitors).to.equal(limits.monitors);
        await app.sql('UPDATE monitor SET deleted_at = now() WHERE workspace_id = ANY($1)', [
          [world.workspaceId, world.owner.workspaceId],
        ]);
      });

      it('keeps its limit with simultaneous requests', async () => {
        const race = await makeWorld(app, plan);
        await seedMonitor(race);
        await copyMonitors(race, limits.monitors - 2);
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => race.api('POST', '/api/v1/monitor', { url: 'https://shop.example/' })),
        );
        countCases();
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
          201, 403, 403, 403, 403, 403,
        ]);
      });

      it(`has ${limits.extraRegions} regions beyond home for a monitor`, async () => {
        const regions = [...EXTRA_REGIONS];
        const fitting = { url: 'https://shop.example/', enabledRegions: regions.slice(0, limits.extraRegions) };
        const monitor = await world.api('POST', '/api/v1/monitor', fitting);
        expectStatus('as many as the plan has', monitor, 201);
        if (limits.extraRegions === regions.length) return;
        const tooMany = { ...fitting, enabledRegions: regions.slice(0, limits.extraRegions + 1) };
        expectLimit(await world.api('POST', '/api/v1/monitor', tooMany), 'extraRegions', limits.extraRegions);
        const { enabledRegions } = tooMany;
        const changed = await world.api('PUT', `/api/v1/monitor/${monitor.body.id}`, { enabledRegions });
        expectLimit(changed, 'extraRegions', limits.extraRegions);
      });

      it('keeps the settings of a greater plan, refuses an update that repeats them and names what it accepts', async () => {
        const place = await makeWorld(app, 'Enterprise');
        const settings = {
          monitorTypes: MONITOR_TYPES.filter((type) => type !== 'Heartbeat' && !factsOf(type).isAlone),
          checkTimeout: 'PT10S',
          enabledRegions: [...EXTRA_REGIONS],
        };
        const { id } = await seedMonitor(place, settings);
        await app.setPlan(plan, {}, place.owner);
        const put = (body: object) => place.api('PUT', `/api/v1/monitor/${id}`, body);
        expectStatus('another field', await put({ name: 'Store' }), 200);
        const repeated = await put(settings);
        if (plan === 'Enterprise') return expectStatus('the same settings', repeated, 200);
        const accepted = {
          ...settings,
          monitorTypes: settings.monitorTypes.filter((type) => types[type]),
          ...(features.customTimeout ? {} : { checkTimeout: 'PT30S' }),
          enabledRegions: settings.enabledRegions.slice(0, limits.extraRegions),
        };
        expect(repeated.status, show(repeated)).to.equal(403);
        const named = repeated.body.details.map(({ path, accepted: value }: Record<string, unknown>) => [path, value]);
        expect({ ...settings, ...Object.fromEntries(named) }).to.deep.equal(accepted);
        for (const { plan: enough } of repeated.body.details) expect(PLANS_IN_ORDER).to.include(enough);
        const remedied = await put(accepted);
        expectStatus('what the refusal names', remedied, 200);
        expect(remedied.body.planRestricted).to.deep.equal([]);
      });

      for (const [type, included] of Object.entries(types)) {
        it(`${included ? 'includes' : 'does not include'} the monitor type ${type}`, async () => {
          const answer = await world.api('POST', '/api/v1/monitor', { ...ofType(type), monitorTypes: [type] });
          if (included) return expectStatus(type, answer, 201);
          expectFault(type, answer, 403, 'feature_not_in_plan');
          const least = leastPlan((name) => columnOf(TYPE_ROWS, name)[type as keyof typeof TYPE_ROWS]);
          expect(answer.body.details[0]).to.deep.include({ path: 'monitorTypes', feature: 'monitorType', plan: least });
        });
      }

      it('allows check intervals from a minute to an hour', async () => {
        for (const [interval, status] of [
          ['PT1M', 201],
          ['PT1H', 201],
          ['PT59S', 400],
          ['PT1H1S', 400],
        ] as const) {
          const answer = await world.api('POST', '/api/v1/monitor', {
            url: 'https://shop.example/',
            checkInterval: interval,
          });
          expectStatus(interval, answer, status);
        }
      });

      it(`${features.customTimeout ? 'allows' : 'does not allow'} a custom timeout of 5 to 60 s`, async () => {
        const { id } = await seedMonitor(world);
        for (const checkTimeout of ['PT5S', 'PT60S']) {
          const created = await world.api('POST', '/api/v1/monitor', { url: 'https://shop.example/', checkTimeout });
          const changed = await world.api('PUT', `/api/v1/monitor/${id}`, { checkTimeout });
          for (const answer of [created, changed]) {
            if (features.customTimeout) expectStatus(checkTimeout, answer, answer === created ? 201 : 200);
            else expectFault(checkTimeout, answer, 403, 'feature_not_in_plan');
          }
        }
        for (const checkTimeout of ['PT4.9S', 'PT61S']) {
          const answer = await world.api('POST', '/api/v1/monitor', { url: 'https://shop.example/', checkTimeout });
          expectFault(checkTimeout, answer, 400, 'validation_failed');
        }
      });

      for (const [key, { make, few = 12 }] of Object.entries(COUNTED)) {
        const limit = limits[key as keyof typeof limits];
        it(`has ${limit ?? 'any number of'} ${key} over all workspaces of the owner`, async () => {
          const place = await makeWorld(app, plan);
          for (let made = 0; made < (limit ?? few) - 1; made++) {
            expectStatus(`${key} ${made + 1}`, await make(place, made), 201);
          }
          if (limit === null) return;
          // Simultaneous requests do not exceed the limit.
          const last = await Promise.all(Array.from({ length: 4 }, (_, index) => make(place, limit + index)));
          const fitting = last.filter(({ status }) => status === 201);
          expect(fitting).to.have.length(Math.min(limit, 1));
          for (const answer of last) {
            if (answer.status !== 201) expectLimit(answer, key as keyof typeof LIMIT_ROWS, limit);
          }
          const { body } = await place.api('GET', `/api/v1/workspaces/${place.workspaceId}`);
          expect(body.usage[key]).to.equal(limit);
        });
      }

      it(`covers ${limits.teams ?? 'all'} of the teams of a greater plan, and restricts the newest`, async () => {
        const place = await makeWorld(app, 'Enterprise');
        for (let made = 0; made < 12; made++) {
          expectStatus(`team ${made}`, await place.api('POST', '/api/v1/teams', { name: `Team ${made}` }), 201);
        }
        await app.setPlan(plan, {}, place.owner);
        const { body } = await place.api('GET', '/api/v1/teams');
        const restricted = body.map(({ planRestricted }: { planRestricted: boolean }) => planRestricted);
        const expected = Array.from({ length: 12 }, (_, index) => index >= (limits.teams ?? 12)).toReversed();
        expect(restricted).to.deep.equal(expected);
        await app.setPlan('Enterprise', {}, place.owner);
        const { body: restored } = await place.api('GET', '/api/v1/teams');
        for (const { planRestricted } of restored) expect(planRestricted).to.equal(false);
      });

      it('shows public timelines for the number of days of the plan', async () => {
        const place = await makeWorld(app, plan);
        const { body: page } = await createPage(place);
        const { body } = await app.anonymous('GET', `/api/v1/public/status-page/${page.slug}`);
        const shown = Object.entries(columnOf(WINDOW_ROWS, plan)).flatMap(([name, isIncluded]) =>
          isIncluded ? [name] : [],
        );
        countCases();
        expect(body.timelines.map(({ window }: { window: string }) => window)).to.deep.equal(shown);
      });

      for (const [feature, { attempt, success }] of Object.entries(FEATURES)) {
        const included = features[feature as keyof typeof features];
        it(`${included ? 'includes' : 'does not include'} ${feature}`, async () => {
          const answer = await attempt(await makeWorld(app, plan));
          if (included) return expectStatus(feature, answer, success);
          expectFault(feature, answer, 403, 'feature_not_in_plan');
          const least = leastPlan((name) => columnOf(FEATURE_ROWS, name)[feature as keyof typeof FEATURE_ROWS]);
          expect(answer.body.details[0], show(answer)).to.include({ feature, plan: least });
        });
      }
    });
  }
});

/** Copies the only monitor of the workspace, faster than over REST. */
async function copyMonitors({ workspaceId }: World, count: number): Promise<void> {
  const [{ columns }] = (await app.sql<{ columns: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
     WHERE table_name = 'monitor' AND column_name NOT IN ('id', 'key')`,
  )) as [{ columns: string }];
  const ids = Array.from({ length: count }, () => newId(app.clock.now()));
  await app.sql(
    `INSERT INTO monitor (id, ${columns}) SELECT new.id, ${columns} FROM unnest($2::uuid[]) AS new (id),
       (SELECT ${columns} FROM monitor WHERE workspace_id = $1 LIMIT 1) AS one`,
    [workspaceId, ids],
  );
}
