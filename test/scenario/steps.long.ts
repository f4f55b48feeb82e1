import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import type { ManagedProcess } from '../support/managed-process.js';
import { type Json, type Product, startProduct } from '../support/product.js';
import { readMail } from '../support/read-mail.js';
import { runCli } from '../support/run-cli.js';
import { create } from '../support/seed.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget, type Target } from '../support/target-server.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const REGIONS = ['northeurope', 'eastus2'];
const PASSWORD = 'pa55-of-the-robot';
const KEY = 'key-of-the-catalogue';
/** The site gives tokens that begin so. */
const SESSION = 'session-of-the-robot';
const SECRETS = [PASSWORD, KEY, SESSION];
/** On a busy machine, one check can be inconclusive: the next one is a minute later. */
const DEADLINE_MS = 240_000;
const REASON = 'Step “read the account”: The server answered with status 503 Service Unavailable instead of 200-399.';

describe('A site on which checks log in, checked by real agents in two regions', function () {
  this.timeout(1_200_000);
  let product: Product;
  let site: Target;
  let hook: WebhookReceiver;
  let mailServer: MailServer;
  const tokens = new Map<string, string>();
  let agents: ManagedProcess[];
  let runs = 0;

  before(async () => {
    [site, hook, mailServer] = await Promise.all([
      startTarget({ behaviour: answer() }),
      startWebhookReceiver(),
      startMailServer(),
    ]);
    site.route('/form', answer({ headers: { 'set-cookie': 'visit=v1' }, body: '<input name="csrf" value="c-1">' }));
    site.route('/login', (exchange) => {
      const { headers, body } = exchange.request;
      const isRight = body.toString() === `password=${PASSWORD}&csrf=c-1` && headers['cookie'] === 'visit=v1';
      const token = `${SESSION}-${site.requests.length}`;
      return answer(isRight ? { body: JSON.stringify({ token }) } : { status: 401 })(exchange);
    });
    product = await startProduct({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      },
    });
    expect((await product.api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    for (const region of REGIONS) tokens.set(region, (await product.createAgent(region, region)).token);
    agents = startAgents();
  });
  after(async () => {
    await product?.stop();
    await Promise.all([site?.close(), hook?.stop(), mailServer?.stop()]);
  });

  const startAgents = () => [...tokens].map(([name, token]) => product.startAgent({ name, token }));
  const stopAgents = async (signal: NodeJS.Signals) => {
    for (const agent of agents) agent.kill(signal);
    await Promise.all(agents.map((agent) => agent.ended(120_000)));
  };
  const watch = async (name: string, path: string, http: object): Promise<string> => {
    const { id } = await create(product.api, '/api/v1/monitor', {
      name,
      url: `${site.url}${path}`,
      checkInterval: 'PT1M',
      enabledRegions: ['eastus2'],
      numberOfChecksBeforeAlert: 1,
      numberOfChecksBeforeRecovery: 1,
      http,
    });
    return id;
  };
  /** Logs in, reads the account at a path of its own, and logs out. */
  const watchLogin = (name: string, more: object = {}) =>
    watch(name, '/form', {
      ...more,
      variables: { password: { secret: PASSWORD } },
      extract: { csrf: { from: 'regex', expression: 'value="([^"]+)"' } },
      steps: [
        {
          name: 'log in',
          url: `${site.url}/login`,
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: 'password={{password}}&csrf={{csrf}}',
          extract: { token: { from: 'json', expression: '$.token', secret: true } },
        },
        {
          name: 'read the account',
          url: `${site.url}/${name}/account`,
          headers: { Authorization: 'Bearer {{token}}' },
        },
        {
          name: 'log out',
          url: `${site.url}/${name}/logout`,
          method: 'POST',
          headers: { Authorization: 'Bearer {{token}}' },
          always: true,
        },
      ],
    });
  /** A changed monitor is checked at once. */
  const checkNow = (id: string) =>
    create(product.api, `/api/v1/monitor/${id}`, { http: { headers: { 'X-Run': String(++runs) } } }, 'PUT');
  const until = async (id: string, health: string): Promise<Json> =>
    eventually(
      `a monitor that is ${health}`,
      async () => {
        const { body: monitor } = await product.api('GET', `/api/v1/monitor/${id}`);
        return monitor.healthStatus === health ? monitor : undefined;
      },
      DEADLINE_MS,
    );
  const incidentOf = async (id: string, isThere: (incident: Json) => boolean): Promise<Json> =>
    eventually(
      'the incident',
      async () => {
        const { body } = await product.api('GET', `/api/v1/incident?monitorId=${id}`);
        const { body: incident } = await product.api('GET', `/api/v1/incident/${body[0].id}`);
        return isThere(incident) ? incident : undefined;
      },
      DEADLINE_MS,
    );
  const stepsOf = ({ latestTestResult }: Json) =>
    latestTestResult.steps.map(({ name, wasAvailable, statusCode }: Json) => [name, wasAvailable, statusCode]);
  /** Answers with the secrets of the check, as careless sites do. */
  const breakDown = (path: string) =>
    site.route(path, (exchange) => {
      const { authorization, 'x-api-key': key } = exchange.request.headers;
      return answer({ status: 503, body: authorization ? `no: ${authorization} ${PASSWORD}` : `no: ${key}` })(exchange);
    });

  it('has an incident that names the step, cleans up after it, and shows its secrets to nobody', async () => {
    const shop = await watchLogin('shop');
    const blog = await watchLogin('blog', { safeToRepeat: true });
    const wiki = await watchLogin('wiki');
    const groups = await Promise.all([
      create(product.api, '/api/v1/action-groups/webhook', { name: 'Hook', url: hook.url }),
      create(product.api, '/api/v1/action-groups/email', { name: 'Mail', recipients: ['user-1@example.test'] }),
    ]);
    for (const group of groups) await create(product.api, `/api/v1/action-groups/${group.id}/monitors/${shop}`);
    const names = ['log in', 'read the account', 'log out'];
    for (const id of [blog, wiki]) await until(id, 'available');
    const healthy = await until(shop, 'available');
    expect(stepsOf(healthy)).to.deep.equal(names.map((name) => [name, true, 200]));
    for (const { responseTime, phases, failureReason } of healthy.latestTestResult.steps) {
      expect(responseTime).to.be.greaterThan(0);
      expect(phases.firstByte).to.be.greaterThan(0);
      expect(failureReason).to.equal(null);
    }

    await stopAgents('SIGKILL');
    const restarted = site.requests.length;
    agents = startAgents();
    for (const name of ['shop', 'blog']) breakDown(`/${name}/account`);
    await checkNow(shop);
    const broken = await until(shop, 'unavailable');
    expect(broken.latestTestResult).to.include({ wasAvailable: false, statusCode: 503, failureReason: REASON });
    expect(stepsOf(broken)).to.deep.equal([
      ['log in', true, 200],
      ['read the account', false, 503],
      ['log out', true, 200],
    ]);
    const sessions = (path: string) =>
      site.requests.slice(restarted).flatMap((one) => (one.path === path ? one.headers['authorization']! : []));
    await eventually(
      'each run that failed logs out',
      () => sessions('/shop/account').every((session) => sessions('/shop/logout').includes(session)) || undefined,
      DEADLINE_MS,
    );
    const incident = await incidentOf(shop, () => true);
    expect(incident).to.include({ incidentType: 'Availability', severity: 'down', failureReason: REASON });
    const [failure] = incident.context.failures;
    expect(failure).to.include({ phase: 'content', reason: 'unexpected_status', statusCode: 503 });
    expect(failure.evidence.hops.map(({ url, step }: Json) => [url.replace(site.url, ''), step])).to.deep.equal([
      ['/form', undefined],
      ['/login', 'log in'],
      ['/shop/account', 'read the account'],
      ['/shop/logout', 'log out'],
    ]);
    expect(failure.evidence.bodyStart).to.equal('no: Bearer *** ***');

    const catalogue = await watch('catalogue', '/products', {
      steps: [{ name: 'list', url: `${site.url}/catalogue`, headers: { 'X-Api-Key': KEY } }],
    });
    await until(catalogue, 'available');
    breakDown('/catalogue');
    for (const id of [blog, catalogue]) {
      await checkNow(id);
      const confirmed = await incidentOf(id, ({ context }) => context.secondOpinions?.length > 0);
      expect(confirmed.context.secondOpinions[0]).to.include({ outcome: 'down' });
      expect(confirmed.failureReason).to.match(/^Step “(read the account|list)”: /);
    }
    // Its own would have been asked for before these.
    const { body: unconfirmed } = await product.api('GET', `/api/v1/incident/${incident.id}`);
    expect(unconfirmed.context).to.not.have.property('secondOpinions');

    site.route('/shop/account', answer());
    await checkNow(shop);
    await incidentOf(shop, ({ isClosed }) => isClosed);
    const recovered = await until(shop, 'available');
    expect(stepsOf(recovered)).to.deep.equal(names.map((name) => [name, true, 200]));

    const [opened, resolved] = await hook.received(2);
    expect(opened!.body).to.contain(REASON);
    expect(JSON.parse(resolved!.body)).to.include({ type: 'incident.resolved' });
    const mail = await eventually('the mail', () => mailServer.mails.map(readMail)[0], DEADLINE_MS);
    expect(mail.text).to.contain(REASON);
    await eventually(
      'an agent logs in at a scheduled time after its restart',
      () => site.requests.slice(restarted).find(({ path, status }) => path === '/wiki/account' && status === 200),
      DEADLINE_MS,
    );
    await until(wiki, 'available');
    const { key } = await create<{ key: string }>(product.api, '/api/v1/api-keys', {
      name: 'CI',
      scopes: ['monitor.write'],
    });
    const env = { WATCHPOST_URL: product.baseUrl, WATCHPOST_API_KEY: key };
    const { stdout, stderr } = await runCli(['monitors', 'test', 'wiki'], { env });
    expect(stderr).to.contain('without http.variables.password.secret');
    expect(stdout).to.match(/^ {2}log in: failed \(status 401 in \d+ ms\): The server answered/m);
    expect(stdout).to.match(/^ {2}read the account: did not run$/m);
    expect(stdout, 'it needs what the failed step would give').to.match(
      /^ {2}log out: failed: The variable token has no value: step “log in” did not give it/m,
    );
    await expectNoSecrets(incident.id, shop);
  });

  async function expectNoSecrets(incidentId: string, monitorId: string): Promise<void> {
    const { body: workspaces } = await product.api('GET', '/api/v1/workspaces');
    const paths = [
      '/api/v1/monitor',
      `/api/v1/monitor/${monitorId}`,
      `/api/v1/monitor/${monitorId}/results`,
      '/api/v1/incident',
      `/api/v1/incident/${incidentId}`,
      `/api/v1/incident/${incidentId}/evidence`,
      '/api/v1/config/export',
      `/api/v1/workspaces/${workspaces[0].id}/audit`,
    ];
    const shown = await Promise.all(
      paths.map(async (path) => {
        const { status, body } = await product.api('GET', path);
        expect(status, path).to.equal(200);
        return [path, JSON.stringify(body)];
      }),
    );
    await stopAgents('SIGTERM');
    const files = readdirSync(product.dataDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(product.dataDir, name))
      .filter((file) => statSync(file).isFile());
    expect(files.join('\n')).to.match(/agent-eastus2\//);
    const places = [
      ...shown,
      ...hook.calls.map(({ body }) => ['webhook', body]),
      ...mailServer.mails.map(({ raw }) => ['mail', raw]),
      ...files.map((file) => [file, readFileSync(file, 'latin1')]),
    ];
    for (const [place, text] of places)
      for (const secret of SECRETS) expect(text!.includes(secret), `${secret} in ${place}`).to.equal(false);
  }
});
