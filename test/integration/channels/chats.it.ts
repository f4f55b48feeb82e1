import { expect } from 'chai';
import { startTestApp } from '../../support/app.js';
import { create, makeWorld } from '../../support/seed.js';
import { answer, startWebhookReceiver } from '../../support/webhook-receiver.js';
import { change, deliveriesOf, openIncident, seedGroup, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

const NASTY = '<!channel> *[x](https://evil.example)* & <https://evil.example|click>';

describe('Messages to chats and webhooks', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);
  const chat = receiverForEach();

  const run = () => app.plane.delivery.runDue();

  async function outage(type: 'slack' | 'teams') {
    const { id } = await seedGroup(world, type, { webhookUrl: `${chat.url}/services/T0/B0/abcdefghijkl` });
    const monitorId = await seedWatched(world, id);
    await app.sql('UPDATE monitor SET name = $2 WHERE id = $1', [monitorId, NASTY]);
    const incidentId = await openIncident(world, monitorId);
    await run();
    return { id, incidentId, message: JSON.parse(chat.calls[0]!.body) };
  }

  it('in Slack are blocks in which text of users is no markup', async () => {
    const { id, message } = await outage('slack');
    expect(chat.calls[0]!.path).to.equal('/services/T0/B0/abcdefghijkl');
    expect(message.blocks.map(({ type }: { type: string }) => type)).to.deep.equal([
      'header',
      'section',
      'section',
      'actions',
    ]);
    const kinds = new Set<string>();
    JSON.stringify(message.blocks, (key, value) => {
      if (key === 'text' && typeof value === 'object') kinds.add(value.type);
      if (key === 'fields') for (const field of value) kinds.add(field.type);
      return value as unknown;
    });
    expect([...kinds]).to.deep.equal(['plain_text']);
    expect(message.text).not.to.match(/[<>]/);
    expect(message.text).to.include('&lt;!channel&gt;');
    expect(message).to.include({ mrkdwn: false, unfurl_links: false });
    expect(message.blocks[3].elements.every(({ url }: { url: string }) => url.startsWith(`${app.baseUrl}/`))).to.equal(
      true,
    );
    expect((await deliveriesOf(world, id))[0]!.destination).to.match(/\*\*\*ijkl$/);
  });

  it('in Teams are an Adaptive Card in which text of users is no markup', async () => {
    const { message } = await outage('teams');
    const [{ contentType, content }] = message.attachments;
    expect(contentType).to.equal('application/vnd.microsoft.card.adaptive');
    expect(content).to.include({ type: 'AdaptiveCard', version: '1.4' });
    for (const block of content.body) {
      expect(block.type).to.equal('RichTextBlock');
      for (const run of block.inlines) expect(run.type).to.equal('TextRun');
    }
    expect(content.body[0].inlines[0].text).to.equal(`Down: ${NASTY}`);
    expect(content.actions.map(({ title }: { title: string }) => title)).to.deep.equal([
      'See the evidence',
      'Acknowledge in Watchpost',
    ]);
    for (const { url } of content.actions) expect(new URL(url).origin).to.equal(app.baseUrl);
  });

  it('to Teams are retried when the connector answers 200 although Teams refused them', async () => {
    chat.next(
      answer(200, {}, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429'),
    );
    const { id } = await outage('teams');
    expect((await deliveriesOf(world, id))[0]).to.include({ state: 'waiting', statusCode: 429 });
  });

  it('do not follow redirects', async () => {
    const inside = await startWebhookReceiver();
    try {
      chat.always(answer(307, { location: inside.url }));
      const { id } = await outage('slack');
      expect(inside.calls).to.have.length(0);
      expect((await deliveriesOf(world, id))[0]!.answer).to.equal(
        'Answered 307 Temporary Redirect; redirects are not followed.',
      );
    } finally {
      await inside.stop();
    }
  });

  it('are refused by the address that is connected to, even if the URL was accepted on creation', async () => {
    const strict = await startTestApp();
    try {
      const there = await makeWorld(strict);
      const { id } = await seedHook(there, 'https://hooks.example.test/');
      const monitorId = await seedWatched(there, id);
      for (const url of [
        `http://localhost:${chat.port}/`,
        `http://127.0.0.1:${chat.port}/`,
        `http://[::1]:${chat.port}/`,
      ]) {
        await strict.sql(
          `UPDATE action_group SET settings = jsonb_set(settings, '{url}', to_jsonb($2::text)) WHERE id = $1`,
          [id, url],
        );
        const { body } = await there.api('POST', `/api/v1/action-groups/${id}/test`);
        expect(body.delivered, url).to.equal(false);
        expect(body.deliveries[0].answer, url).to.match(/^This service may not connect there: /);
      }
      expect(chat.calls).to.have.length(0);
      expect(monitorId).to.be.a('string');
    } finally {
      await strict.stop();
    }
  });

  it('are delivered although the answer is larger than what is read', async () => {
    chat.always((_call, response) => {
      response.writeHead(200);
      const flood = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', flood);
      };
      flood();
    });
    const { id } = await outage('slack');
    expect((await deliveriesOf(world, id))[0]!.state).to.equal('delivered');
  });

  it('are delivered although the answer comes a character at a time and has no end', async () => {
    chat.always((_call, response) => {
      response.writeHead(200);
      const trickle = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(trickle));
    });
    const { id } = await outage('slack');
    expect((await deliveriesOf(world, id))[0]!.state).to.equal('delivered');
    expect(chat.calls).to.have.length(1);
  });

  it('can be tested, and the test reports the outcome of each destination', async () => {
    const { id } = await seedHook(world, chat.url);
    await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { isEnabled: false });
    const ok = await world.api('POST', `/api/v1/action-groups/${id}/test`);
    expect(ok.status).to.equal(200);
    expect(ok.body.delivered).to.equal(true);
    expect(JSON.parse(chat.calls[0]!.body)).to.deep.include({
      type: 'test',
      data: { workspaceId: world.workspaceId, monitor: null, incident: null },
    });
    chat.always(answer(500));
    const failed = await world.api('POST', `/api/v1/action-groups/${id}/test`);
    expect(failed.body.delivered).to.equal(false);
    expect(failed.body.deliveries[0]).to.include({ state: 'failed', statusCode: 500, attempts: 1, purpose: 'test' });
    app.clock.advance(3_600_000);
    await run();
    expect(chat.calls, 'a test is not tried again').to.have.length(2);
    expect(await deliveriesOf(world, id)).to.have.length(2);
  });

  it('are tested only within a limit', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: ['ann@example.test'] });
    for (let count = 0; count < 20; count++) await create(world.api, `/api/v1/action-groups/${id}/test`);
    const { status, headers } = await world.api('POST', `/api/v1/action-groups/${id}/test`);
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '600']);
  });

  it('report a recovery that waits for a person, and the end of the incident', async () => {
    await world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { settings: { autoCloseIncidents: false } });
    const { incidentId } = await outage('slack');
    await change(world, incidentId, { kind: 'recover', autoClose: false });
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { status: 'Resolved' });
    await run();
    const titles = chat.calls.map(({ body }) => JSON.parse(body).blocks[0].text.text as string);
    expect(titles.map((title) => title.split(':')[0])).to.deep.equal(['🔴 Down', '🟢 Recovered', '🟢 Resolved']);
  });
});
