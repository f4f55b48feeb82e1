import { expect } from 'chai';
import type { CheckResult, Outcome, StepResult } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { seedGroup } from '../../support/seed-alerts.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { file, linkTo } from '../incidents/seed-evidence.js';
import { RpcClient } from '../mcp/rpc-client.js';
import { NOON, resultOf } from '../results/seed.js';

/** What REST takes as the name of a step. */
const NAME = '<img src=x onerror=alert(1)> *[x](https://evil.example)* `y`';
const PASSWORD = 'pa55-of-the-robot';
const KEY = 'key-of-the-step';
const SENTENCE = 'The server answered with status 503 Service Unavailable instead of 200-399.';
const REASON = `Step “${NAME}”: ${SENTENCE}`;
const timings = { dnsUs: 1_000, connectUs: 2_000, tlsUs: 0, firstByteUs: 4_000, transferUs: 500 };

describe('A monitor whose second step fails', () => {
  let app: TestApp;
  let world: World;
  let hook: WebhookReceiver;
  let monitorId: string;
  let incidentId: string;
  before(async () => {
    hook = await startWebhookReceiver();
    app = await startTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    app.clock.set(NOON - MINUTE_MS);
    world = await makeWorld(app, 'Enterprise');
    const groups = [
      await seedGroup(world, 'webhook', { url: hook.url }),
      await seedGroup(world, 'email', { recipients: ['ann@example.test'] }),
    ];
    const url = 'https://shop.example/';
    const monitor = await seedMonitor(world, {
      url,
      numberOfChecksBeforeAlert: 1,
      http: {
        variables: { password: { secret: PASSWORD } },
        steps: [
          { name: 'form', url: `${url}form` },
          { name: NAME, url: `${url}login`, method: 'POST', headers: { 'X-Api-Key': KEY }, body: 'p={{password}}' },
          { name: 'leave', url: `${url}leave`, method: 'DELETE', always: true },
        ],
      },
    });
    monitorId = monitor.id;
    for (const { id } of groups) await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    app.clock.set(NOON + 1_000);
    await file(app, 'northeurope', [failing(key)]);
    await app.plane.delivery.runDue();
    const [incident] = await app.sql<{ id: string }>('SELECT id FROM incident WHERE monitor_id = $1', [monitorId]);
    incidentId = incident!.id;
  });
  after(async () => {
    await app?.stop();
    await hook?.stop();
  });

  /** As an agent would report it that masks nothing. */
  function failing(key: number): CheckResult {
    const echo = `you sent ${PASSWORD} and ${KEY}`;
    const outcome = { kind: 'down', phase: 'content', reason: 'unexpected_status', message: REASON } as Outcome;
    const done = { wasAvailable: true, statusCode: 200, totalUs: 7_500, timings, message: null };
    const steps: StepResult[] = [
      { name: 'form', ...done },
      { name: NAME, ...done, wasAvailable: false, statusCode: 503, message: `${SENTENCE} ${echo}` },
      { name: 'leave', ...done, totalUs: null, timings: null },
    ];
    const hop = { address: '203.0.113.7:443', statusCode: 200, httpVersion: '1.1' as const, timings };
    const hops = ['', 'form', NAME, 'leave'].map((step, at) => ({
      ...hop,
      url: `https://shop.example/${at === 2 ? `login?p=${PASSWORD}` : step}`,
      ...(step !== '' && { step }),
    }));
    const evidence = { hops, headers: { 'x-echo': echo }, bodyStart: echo };
    return { ...resultOf(key, NOON, outcome), statusCode: 503, timings, totalUs: 22_500, steps, evidence };
  }
  const expectNoSecrets = (text: string) => {
    for (const secret of [PASSWORD, KEY]) expect(text).not.to.include(secret);
  };
  const STATES = [
    ['form', true],
    [NAME, false],
    ['leave', true],
  ];
  const states = (steps: { name: string; wasAvailable: boolean }[]) =>
    steps.map(({ name, wasAvailable }) => [name, wasAvailable]);

  it('names it in REST: the monitor, the incident and its evidence', async () => {
    const { body: monitor } = await world.api('GET', `/api/v1/monitor/${monitorId}`);
    expect(monitor).to.include({ healthStatus: 'unavailable' });
    expect(monitor.latestTestResult).to.include({ failureReason: REASON, statusCode: 503 });
    expect(states(monitor.latestTestResult.steps)).to.deep.equal(STATES);
    const { body: incident } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(incident.failureReason).to.equal(REASON);
    expect(incident.context.failures[0].evidence.hops.map(({ step }: { step?: string }) => step)).to.deep.equal([
      undefined,
      'form',
      NAME,
      'leave',
    ]);
    const { body: evidence } = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    expect(JSON.stringify(evidence)).to.include(JSON.stringify(NAME).slice(1, -1));
    expectNoSecrets(JSON.stringify([monitor, incident, evidence]));
  });

  it('names it to assistants', async () => {
    const client = new RpcClient(app.baseUrl, {
      token: await app.token(world.owner.sub),
      headers: { 'x-workspace-id': world.workspaceId },
    });
    await client.initialize('2025-06-18');
    const texts: string[] = [];
    for (const [tool, args] of [
      ['get_monitor', { monitorId }],
      ['get_incident', { incidentId }],
    ] as const) {
      const { result, error } = await client.tool(tool, args);
      expect(error).to.equal(undefined);
      texts.push(result.content[0].text as string);
      expectNoSecrets(JSON.stringify(result));
    }
    expect(states(JSON.parse(texts[0]!).latestTestResult.steps)).to.deep.equal(STATES);
    expect(JSON.parse(texts[1]!).failureReason).to.equal(REASON);
  });

  it('names it in messages, as text', async () => {
    const [opened] = await hook.received(1);
    expect(JSON.parse(opened!.body).data.incident.failureReason).to.equal(REASON);
    const [mail] = await app.sql<{ text: string; html: string }>('SELECT text, html FROM local_mail');
    expect(mail!.text).to.include(REASON);
    expect(mail!.html).to.include('Step “&lt;img').and.not.include('<img src=x');
    expectNoSecrets(`${opened!.body} ${mail!.text} ${mail!.html}`);
  });

  it('names it on the page of the evidence, as text', async () => {
    const page = await fetch(await linkTo(app, incidentId), { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect(html).to.include('Step “&lt;img').and.not.include('<img src=x');
    expectNoSecrets(html);
  });

  it('names it to no visitor of a status page', async () => {
    await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: 'steps-everywhere',
      isPublished: true,
      groups: [{ name: 'Sites', systems: [{ name: 'Shop', monitorId }] }],
    });
    app.clock.advance(5_000);
    for (const accept of ['text/html', 'application/json']) {
      const page = await fetch(`${app.baseUrl}/status/steps-everywhere`, { headers: { accept } });
      expect(page.status).to.equal(200);
      const text = await page.text();
      expect(text).to.include('Shop').and.not.include('onerror').and.not.include('Step “');
      expectNoSecrets(text);
    }
  });
});
