import { expect } from 'chai';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { oneOffInputs } from '@watchpost/control-plane/capabilities/monitors/index';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Fault } from '@watchpost/shared/fault';
import { monitorDeps, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';
import { databaseForSuite } from '../../support/suite.js';

const HTTP = {
  variables: { shop: 'eu', key: { secret: 'key-geheim' } },
  extract: { token: { from: 'json', expression: '$.token' } },
  steps: [
    {
      name: 'Sign in',
      url: `${URL_OF_SHOP}login?shop={{shop}}`,
      method: 'POST',
      headers: { Authorization: 'Bearer head-geheim {{token}}' },
      body: '{{key}}',
    },
    {
      name: 'Read',
      url: 'https://api.shop.example/{{token}}',
      auth: { type: 'basic', username: 'robot', password: 'auth-geheim' },
    },
  ],
};

describe('the steps of an HTTP monitor', () => {
  const test = databaseForSuite();
  let deps: TestMonitorDeps;
  let actor: Actor;
  before(async () => {
    deps = monitorDeps(test.database);
    actor = await seedActor(test.database);
  });

  const create = async (http: object) =>
    (await createMonitor(deps, actor, schemas.create.parse({ url: URL_OF_SHOP, http }))).monitor;
  const update = async (id: string, body: object) =>
    (await updateMonitor(deps, actor, id, schemas.update.parse(body))).monitor;

  it('are stored with their secrets sealed, and shown without them, in the audit log too', async () => {
    const { id, http } = await create(HTTP);
    expect(http.variables).to.deep.equal({ shop: 'eu', key: { secret: '***' } });
    expect(http.steps[0]).to.deep.include({ headers: { Authorization: '***' }, delay: 'PT0S', always: false });
    expect(http.steps[1]!.auth).to.deep.include({ password: '***' });
    const { steps, variables } = http;
    expect((await update(id, { http: { steps, variables, safeToRepeat: true } })).http).to.deep.equal({
      ...http,
      safeToRepeat: true,
    });
    await update(id, { http: { variables: { ...variables, key: { secret: 'another-geheim' } } } });
    const [row] = await test.sql<{ text: string; sealed: Buffer; audit: string }>(
      `SELECT monitor::text AS text, secrets AS sealed, (SELECT string_agg(entry::text, '') FROM audit_entry entry) AS audit
         FROM monitor WHERE id = $1`,
      [id],
    );
    expect(row!.text + row!.sealed.toString('latin1') + row!.audit).not.to.contain('geheim');
    expect(row!.audit).to.contain('http.variables.key.secret').and.contain('http.safeToRepeat');
    const sealed = deps.secretBox.open(row!.sealed, id).toString();
    for (const secret of ['another-geheim', 'head-geheim', 'auth-geheim']) expect(sealed).to.contain(secret);
  });

  it('are part of every plan, with assertions, each address and all else that a request may have', async () => {
    const smallest = await seedActor(test.database, { plan: 'Starter' });
    const more = {
      assertions: [{ source: 'status', comparison: 'equals', target: 200 }],
      auth: { type: 'basic', username: 'robot', password: 'auth-geheim' },
      httpVersion: 'auto',
      connectTo: 'server-7.shop.example:443',
      cookies: 'none',
      addresses: 'each',
      eachMustWork: true,
      safeToRepeat: true,
    };
    const { monitor } = await createMonitor(
      deps,
      smallest,
      schemas.create.parse({ url: URL_OF_SHOP, http: { ...HTTP, ...more } }),
    );
    const { auth: _, assertions, ...shown } = more;
    expect(monitor.http).to.include(shown);
    expect([monitor.http.steps.length, monitor.http.assertions.length]).to.deep.equal([2, assertions.length]);
  });

  it('show a header of secrets that consists of placeholders, because that shows nothing', async () => {
    const sent = (value: string) => ({ name: value, url: URL_OF_SHOP, headers: { Authorization: value } });
    const { variables, extract } = HTTP;
    const shown = ['{{token}}', 'Bearer {{token}}', 'bearer  {{ key }} {{token}}'];
    const hidden = ['Bearer x{{token}}', 'hunter {{token}}', 'Basic Bearer {{token}}', '{{token}}:geheim', 'Bearer'];
    const { id, http } = await create({ variables, extract, steps: [...shown, ...hidden].map(sent) });
    const ofSteps = ({ steps }: typeof http) => steps.map(({ headers }) => headers['Authorization']);
    expect(ofSteps(http)).to.deep.equal([...shown, ...hidden.map(() => '***')]);
    expect(ofSteps((await update(id, { http: { steps: http.steps } })).http)).to.deep.equal(ofSteps(http));
    const own = await create({ variables, extract, headers: { Authorization: 'Bearer {{token}}' } });
    expect(own.http.headers, 'a header in which nothing is filled').to.deep.equal({ Authorization: '***' });
  });

  it('keep their secrets to the places that they were given for, whichever field a change names', async () => {
    const { id, http } = await create(HTTP);
    const refused = async (changed: object) =>
      ((await update(id, { http: changed }).catch((fault: Fault) => fault)) as Fault).details.map(({ path }) => path);
    const moved = http.steps.map((step) => ({ ...step, url: `https://evil.example/${step.name.length}` }));
    expect(await refused({ steps: moved })).to.have.members([
      'http.steps.0.headers.Authorization',
      'http.steps.1.auth.password',
      'http.variables.key.secret',
    ]);
    expect(await refused({ extract: {} })).to.deep.equal(['http.steps.0.headers.Authorization', 'http.steps.1.url']);
    expect(await refused({ variables: {} })).to.deep.equal(['http.steps.0.url', 'http.steps.0.body']);
  });

  it('keep their secrets from where a later answer of their site would be sent, which may repeat them from a cookie', async () => {
    const site = { name: 'Set', url: `${URL_OF_SHOP}set`, headers: { Cookie: 'geheim' } };
    const { id, http } = await create({ steps: [site] });
    const read = { name: 'Read', url: `${URL_OF_SHOP}read`, extract: { x: { from: 'json', expression: '$.x' } } };
    const changed = (url: string) =>
      update(id, { http: { steps: [...http.steps, read, { name: 'Out', url }] } }).catch(
        (fault: Fault) => fault.details,
      );
    expect(await changed('https://evil.example/{{x}}')).to.have.nested.property(
      '[0].path',
      'http.steps.0.headers.Cookie',
    );
    expect(await changed(`${URL_OF_SHOP}{{x}}`)).to.have.property('id', id);
  });

  it('are tested once with the secrets that are given, and never with those of a monitor', () => {
    const input = oneOffInputs({ egress: createEgressPolicy({ allowCidrs: [] }) }).ofType('HttpAvailability');
    expect(input.parse({ url: URL_OF_SHOP, http: HTTP }).target).to.have.nested.property(
      'variables[1].value',
      'key-geheim',
    );
    const masked = {
      variables: { key: { secret: '***' } },
      steps: [
        { ...HTTP.steps[1], url: URL_OF_SHOP, headers: { Cookie: '***' }, auth: { type: 'bearer', token: '***' } },
      ],
    };
    const { error } = input.safeParse({ url: URL_OF_SHOP, http: masked });
    expect(error!.issues.map(({ path }) => path.join('.'))).to.have.members([
      'http.variables.key.secret',
      'http.steps.0.headers.Cookie',
      'http.steps.0.auth.token',
    ]);
    const slow = { steps: [{ name: 'a', url: URL_OF_SHOP, delay: 'PT5S' }] };
    expect(
      input.safeParse({ url: URL_OF_SHOP, http: slow, timeout: 'PT5S' }).error!.issues[0]!.path.join('.'),
    ).to.equal('http.steps');
  });
});
