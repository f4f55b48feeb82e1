import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startProduct } from '../../support/product.js';
import { startedForSuite } from '../../support/suite.js';
import { openEvents } from './event-client.js';
import { startSecondProcess, type SecondProcess } from './second-process.js';

describe('an event stream of a client that does not read', function () {
  let app: TestApp;
  let second: SecondProcess;

  before(async () => {
    app = await startTestApp();
    second = await startSecondProcess(app);
  });
  after(async () => {
    await second?.stop();
    await app?.stop();
  });

  it('is cut off at a bounded backlog, while the stream of another client goes on', async () => {
    const token = await app.token(app.owner.sub);
    const reader = await openEvents(second.baseUrl, { token });
    const request = get(`${second.baseUrl}/api/v1/events`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    request.on('error', () => {});
    const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
    response.pause();
    response.on('error', () => {});
    const longId = 'x'.repeat(8_000);
    await eventually(
      'the slow one is cut off',
      async () => {
        // Long ids fill the buffers of the sockets quickly.
        await app.sql(
          `SELECT workspace_event_add($1, 'monitor', $2 || number::text) FROM generate_series(1::integer, 100) AS number`,
          [app.owner.workspaceId, longId],
        );
        await reader.received('its first event', () => true);
        return (await second.metric('watchpost_event_streams_ended_total', { reason: 'slow' })) > 0 || undefined;
      },
      PATIENCE_MS,
      120,
    );
    expect(reader.isOver).to.equal(false);
    reader.cut();
    request.destroy();
  });
});

describe('an event stream of a process that is killed', function () {
  const product = startedForSuite(() => startProduct());

  it('is resumed after the restart without a gap', async () => {
    const created = await product.api<{ id: string }>('POST', '/api/v1/monitor', {
      url: 'https://shop.example/',
      name: 'Shop',
    });
    expect(created.status).to.equal(201);
    const { id } = created.body;
    const token = await product.issuer.token({
      sub: 'user-1',
      claims: { email: 'user-1@example.test', email_verified: true },
    });
    const client = await openEvents(product.baseUrl, { token });
    await product.api('PUT', `/api/v1/monitor/${id}`, { name: 'Seen' });
    await client.received('the first change', ({ data }) => data.id === id);
    const { version } = client.of(id).at(-1)!.data;
    client.cut();
    await product.api('PUT', `/api/v1/monitor/${id}`, { name: 'Missed' });
    product.controlPlane.kill('SIGKILL');
    await product.controlPlane.ended(60_000);
    await product.startControlPlane();
    const again = await openEvents(product.baseUrl, { token, lastId: client.lastId });
    await again.received('what was missed', ({ data }) => data.id === id && data.version! > version!);
    expect(again.events.some(({ event }) => event === 'reset')).to.equal(false);
    again.cut();
  });
});
