import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import pg from 'pg';
import { createBlankDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { startProduct, type Json, type Product } from '../../support/product.js';
import { readMail } from '../../support/read-mail.js';
import { answer as answerWith } from '../../support/target-behaviours.js';
import { startTarget, type SeenRequest, type Target } from '../../support/target-server.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { RpcClient } from '../../integration/mcp/rpc-client.js';

const PASSWORD = 'hunter2&"pass/word"';
const HEADERS = {
  Authorization: `Basic ${Buffer.from(`robot:${PASSWORD}`).toString('base64')}`,
  Cookie: 'sid=c00kie-secret-value; theme=dark',
  'Private-Token': 'glpat-<secret>+value',
  'X-Auth-Key': 'auth/key"of\\the&shop',
};
const SECRETS = [
  HEADERS.Authorization.slice(6),
  PASSWORD,
  'c00kie-secret-value',
  HEADERS['Private-Token'],
  HEADERS['X-Auth-Key'],
];
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const WRITERS = [
  (text: string) => text,
  encodeURIComponent,
  json,
  html,
  (text: string) => html(json(text)),
  (text: string) => json(json(text)),
  (text: string) => Buffer.from(text).toString('base64'),
];
/** The encoded forms of each secret. Of base64 only the digits that depend on the secret alone. */
const FORMS = [
  ...new Set(SECRETS.flatMap((secret) => WRITERS.map((write) => write(secret).replace(/.==?$/, '').replace(/=$/, '')))),
];

/** The secrets of a request in every encoding that frameworks use on their error pages. */
function reflect({ headers }: SeenRequest): string {
  const sent = [headers['authorization'], headers['cookie'], headers['private-token'], headers['x-auth-key'], PASSWORD];
  return WRITERS.map((write) => sent.map((value) => write(value!)).join('\n')).join('\n');
}

describe('attack 10: a site that repeats the secrets of its requests', function () {
  let product: Product;
  let target: Target;
  let receiver: WebhookReceiver;
  let carrier: WebhookReceiver;
  let mailServer: MailServer;
  let database: Awaited<ReturnType<typeof createBlankDatabase>>;
  let monitors: Json[];
  let incidents: Json[];
  const evidenceLinks = () =>
    mailServer.mails.flatMap((mail) => /https?:\/\/\S+\/incident\/[^\s"<]+/.exec(readMail(mail).text)?.[0] ?? []);

  before(async () => {
    [target, receiver, carrier, mailServer, database] = await Promise.all([
      startTarget({ behaviour: answerWith() }),
      startWebhookReceiver(),
      startWebhookReceiver(),
      startMailServer(),
      createBlankDatabase(),
    ]);
    carrier.always(answer(201, { 'content-type': 'application/json' }, '{"sid":"SM1","status":"queued"}'));
    target.behave((exchange) => {
      const { headers } = exchange.request;
      return answerWith({
        status: 500,
        headers: {
          'x-echo': headers['authorization']!,
          'Private-Token': headers['private-token']!,
          'X-Auth-Key': headers['x-auth-key']!,
          location: `/login?sid=${encodeURIComponent(headers['cookie']!)}`,
          'content-type': 'text/html',
        },
        body: reflect(exchange.request),
      })(exchange);
    });
    target.route('/redirect', (exchange) =>
      answerWith({
        status: 302,
        headers: { location: `gopher://shop.example/${exchange.request.headers['private-token']}` },
      })(exchange),
    );
    // Only 2 KiB of the body are kept. Here they end in the middle of a secret.
    target.route('/cut', (exchange) =>
      answerWith({ status: 500, body: `${'.'.repeat(2_048 - 12)}${exchange.request.headers['private-token']}` })(
        exchange,
      ),
    );
    product = await startProduct({
      env: {
        DATABASE_URL: database.url,
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: 'Watchpost <alerts@watch.example>',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        TWILIO_ACCOUNT_SID: 'AC123',
        TWILIO_AUTH_TOKEN: 'twilio',
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: carrier.url,
      },
    });
    const { body: user } = await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', user.email, '--plan', 'Enterprise');
    for (const [region, name] of [
      ['northeurope', 'home'],
      ['eastus2', 'east'],
    ] as const)
      product.startAgent({ name, token: (await product.createAgent(region, name)).token });
    const groups = await makeGroups();
    monitors = [];
    for (const path of ['/', '/redirect', '/cut']) {
      const { body, status } = await product.api('POST', '/api/v1/monitor', {
        name: `Shop ${path}`,
        url: `${target.url}${path}`,
        checkInterval: 'PT1M',
        numberOfChecksBeforeAlert: 1,
        enabledRegions: ['eastus2'],
        http: { headers: HEADERS },
        monitoringStatus: 'paused',
      });
      expect(status, JSON.stringify(body)).to.equal(201);
      for (const id of groups) await product.api('POST', `/api/v1/action-groups/${id}/monitors/${body.id}`);
      const sms = { name: 'sms', phoneNumbers: ['+4915110000000'] };
      expect((await product.api('POST', `/api/v1/monitor/${body.id}/sms-action-group`, sms)).status).to.equal(201);
      await product.api('PUT', `/api/v1/monitor/${body.id}`, { monitoringStatus: 'enabled' });
      monitors.push(body);
    }
    incidents = await eventually(
      'an incident of each',
      async () => {
        const { body } = await product.api('GET', '/api/v1/incident');
        return body.length === monitors.length ? body : undefined;
      },
      60_000,
      500,
    );
    await eventually(
      'everybody is notified',
      async () => {
        const isDone = receiver.calls.length >= 9 && mailServer.mails.length >= 3 && carrier.calls.length >= 1;
        return isDone || undefined;
      },
      30_000,
      200,
    );
  });
  after(async () => {
    await product?.stop();
    await Promise.all([target?.close(), receiver?.stop(), carrier?.stop(), mailServer?.stop()]);
    await database?.drop();
  });

  async function makeGroups(): Promise<string[]> {
    const bodies = [
      ['email', { recipients: ['user-1@example.test'] }],
      ['webhook', { url: `${receiver.url}/webhook`, headers: {} }],
      ['slack', { webhookUrl: `${receiver.url}/slack-with-a-long-path` }],
      ['teams', { webhookUrl: `${receiver.url}/teams-with-a-long-path` }],
    ] as const;
    const ids: string[] = [];
    for (const [type, settings] of bodies) {
      const { body, status } = await product.api('POST', `/api/v1/action-groups/${type}`, { name: type, ...settings });
      expect(status, JSON.stringify(body)).to.equal(201);
      ids.push(body.id);
    }
    return ids;
  }

  function leaksIn(text: string): string[] {
    return FORMS.filter((form) => text.includes(form));
  }

  /** The text of every way out of the product, by name. */
  async function exits(): Promise<Map<string, string>> {
    const { api } = product;
    const found = new Map<string, string>();
    const get = async (path: string) => {
      const { status, body } = await api('GET', path);
      expect(status, path).to.equal(200);
      found.set(`GET ${path}`, JSON.stringify(body));
      return body;
    };
    for (const path of ['/api/v1/incident', '/api/v1/monitor']) await get(path);
    for (const { id } of incidents) {
      await api('POST', `/api/v1/incident/${id}/notes`, { note: 'We look into it.' });
      await get(`/api/v1/incident/${id}`);
    }
    for (const { id } of monitors) {
      await get(`/api/v1/monitor/${id}`);
      await get(`/api/v1/monitor/${id}/incident`);
      for (const format of ['json', 'html']) {
        const range = { startDate: new Date(Date.now() - 3_600_000).toISOString(), endDate: new Date().toISOString() };
        const { body } = await api('POST', `/api/v1/monitor/${id}/report/generate`, { ...range, format });
        found.set(`report ${id} ${format}`, typeof body === 'string' ? body : JSON.stringify(body));
      }
    }
    for (const [index, link] of evidenceLinks().entries())
      found.set(`evidence page ${index}`, await (await fetch(link)).text());
    for (const path of ['/', '/redirect', '/cut']) {
      const { status, body } = await api('POST', '/api/v1/monitor-test', {
        url: `${target.url}${path}`,
        http: { headers: HEADERS },
      });
      expect(status).to.equal(200);
      found.set(`one-off test ${path}`, JSON.stringify(body));
    }
    const groups = [{ name: 'Sites', systems: [{ name: 'Shop', monitorId: monitors[0].id }] }];
    const page = { name: 'Shop', slug: 'reflecting-shop', isPublished: true, showIncidentHistory: true, groups };
    expect((await api('POST', '/api/v1/status-page', page)).status).to.equal(201);
    for (const path of [
      '/api/v1/public/status-page/reflecting-shop',
      '/status/reflecting-shop',
      '/status/reflecting-shop/feed.atom',
    ])
      found.set(path, await (await fetch(product.baseUrl + path)).text());
    const rpc = new RpcClient(product.baseUrl, { token: await product.issuer.token({ sub: 'user-1' }) });
    await rpc.initialize('2025-06-18');
    for (const [tool, args] of [
      ['list_all_incidents', {}],
      ['list_monitors', {}],
      ...incidents.map(({ id }) => ['get_incident', { incidentId: id }] as const),
    ] as const) {
      const result = await rpc.tool(tool, args);
      expect(result.error, JSON.stringify(result)).to.equal(undefined);
      found.set(`MCP ${tool} ${JSON.stringify(args)}`, JSON.stringify(result));
    }
    for (const [index, { path, body }] of receiver.calls.entries()) found.set(`${path} ${index}`, body);
    for (const [index, { body }] of carrier.calls.entries())
      found.set(`SMS ${index}`, new URLSearchParams(body).get('Body') ?? '');
    for (const [index, mail] of mailServer.mails.entries()) {
      const { subject, text, html: page } = readMail(mail);
      found.set(`mail ${index}`, `${subject}\n${text}\n${page}`);
    }
    for (const name of ['control-plane', 'agent-home', 'agent-east'])
      found.set(`log ${name}`, readFileSync(`${product.dataDir}/${name}.log`, 'utf8'));
    return found;
  }

  /** Every value of every table, as text. */
  async function stored(): Promise<Map<string, string>> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT quote_ident(relname) AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm') ORDER BY 1`,
      );
      const found = new Map<string, string>();
      for (const { name } of tables) {
        const { rows } = await client.query<{ text: string | null }>(
          `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`,
        );
        found.set(`table ${name}`, rows[0]!.text ?? '');
      }
      return found;
    } finally {
      await client.end();
    }
  }

  it('gets its evidence shown, and no secret is stored or leaves the product', async () => {
    const all = new Map([...(await exits()), ...(await stored())]);
    const { id } = incidents.find(({ monitorId }) => monitorId === monitors[0].id)!;
    const incident = all.get(`GET /api/v1/incident/${id}`)!;
    for (const kind of [
      'evidence page',
      'mail',
      'SMS',
      '/webhook',
      '/slack',
      '/teams',
      'one-off',
      'MCP get_incident',
      'log',
    ])
      expect(
        [...all.keys()].some((name) => name.startsWith(kind)),
        kind,
      ).to.equal(true);
    expect(incident).to.include('"x-echo":"Basic ***"').and.to.include('"bodyStart":"Basic ***');
    expect(all.get('table second_opinion'), 'a second opinion').to.not.equal('');
    const leaks = [...all].flatMap(([name, text]) => leaksIn(text).map((form) => `${name}: ${form}`));
    printFairnessFigure({
      attack: 10,
      measure: `of ${FORMS.length} spellings of secrets in ${all.size} exits and tables, readable`,
      before: 0,
      during: leaks.length,
      limit: '0',
    });
    expect(leaks).to.deep.equal([]);
    for (const beginning of SECRETS.map((secret) => secret.slice(0, 9)))
      expect([...all].filter(([, text]) => text.includes(`......${beginning}`)).map(([name]) => name)).to.deep.equal(
        [],
      );
  });
});
