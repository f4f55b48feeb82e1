import { expect } from 'chai';
import { create, seedMonitor } from '../../support/seed.js';
import { startProduct, type Product } from '../../support/product.js';

const SECRETS = { header: 'Bearer hunter2hunter2', path: 'veryS3cretPathOfThisChat' };

describe('the log of a service that logs everything', function () {
  this.timeout(60_000);
  let product: Product;
  before(async () => {
    product = await startProduct({ env: { LOG_LEVEL: 'trace', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Growth');
  });
  after(() => product.stop());

  it('holds no secret of an action group, whether it was taken or refused', async () => {
    const { api } = product;
    const monitor = await seedMonitor({ api });
    const webhook = { name: 'Relay', url: 'http://127.0.0.1:9/hook', headers: { Authorization: SECRETS.header } };
    const chat = { name: 'Chat', webhookUrl: `https://hooks.slack.com/services/T0/B0/${SECRETS.path}` };
    const made = await create<{ id: string; secret: string }>(api, '/api/v1/action-groups/webhook', webhook);
    const legacy = await create<{ secret: string }>(api, `/api/v1/monitor/${monitor.id}/webhook-action-group`, webhook);
    const rotated = await create<{ secret: string }>(api, `/api/v1/action-groups/${made.id}/rotate-secret`);
    await create(api, '/api/v1/action-groups/slack', chat);
    await create(api, `/api/v1/action-groups/webhook/${made.id}`, { headers: { 'X-Api-Key': SECRETS.header } }, 'PUT');
    const refused = [
      await api('POST', '/api/v1/action-groups/webhook', { ...webhook, url: `http://1.1.1.1/${SECRETS.path}` }),
      await api('POST', '/api/v1/action-groups/slack', { ...chat, webhookUrl: `https://10.0.0.1/${SECRETS.path}` }),
      await api('POST', '/api/v1/action-groups/webhook', { ...webhook, headers: { 'X-Key': `${SECRETS.header}\n` } }),
      await api('POST', '/api/v1/action-groups/webhook', { ...webhook, nameX: SECRETS.header }),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([400, 400, 400, 400]);
    const log = product.controlPlane.output();
    expect(log).to.include('/api/v1/action-groups');
    const secrets = [...Object.values(SECRETS), ...[made, legacy, rotated].map(({ secret }) => secret.slice(6))];
    for (const secret of secrets) expect(log + JSON.stringify(refused.map(({ body }) => body))).to.not.include(secret);
  });
});
