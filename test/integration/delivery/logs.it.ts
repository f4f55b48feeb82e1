import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { create, seedMonitor } from '../../support/seed.js';
import { startProduct } from '../../support/product.js';
import { startedForSuite } from '../../support/suite.js';

const PASSWORDS = { smtp: 'pw-of-the-mail-server', redis: 'pw-of-redis', twilio: 'pw-of-the-sms-provider' };
const SECRETS = { header: 'Bearer hunter2hunter2', path: 'veryS3cretPathOfThisChat' };

describe('The log at its most detailed level', function () {
  const product = startedForSuite(() =>
    startProduct({
      env: {
        LOG_LEVEL: 'trace',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        // No server answers there, which is logged without the passwords.
        SMTP_URL: `smtp://mailer:${PASSWORDS.smtp}@127.0.0.1:9`,
        MAIL_FROM: 'Watchpost <alerts@example.com>',
        REDIS_URL: `redis://watchpost:${PASSWORDS.redis}@127.0.0.1:9/0`,
        TWILIO_ACCOUNT_SID: 'AC0',
        TWILIO_AUTH_TOKEN: PASSWORDS.twilio,
        TWILIO_FROM: '+15005550006',
        TWILIO_API_URL: 'http://127.0.0.1:9',
      },
    }),
  );
  before(async () => {
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Growth');
  });

  it('contains no secret of an action group, whether the request was accepted or refused', async () => {
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

  it('contains no token, link, session or password, whatever request contained it', async () => {
    const { api, baseUrl } = product;
    const { body: workspaces } = await api('GET', '/api/v1/workspaces');
    const people = `/api/v1/workspaces/${workspaces[0].id}/invitations`;
    const { link } = await create<{ link: string }>(api, people, { email: 'new@example.test', role: 'Viewer' });
    const invitation = new URL(link).searchParams.get('token')!;
    await fetch(link);
    await product.apiAs('user-2')('POST', '/api/v1/invitations/accept', { token: invitation });
    const guess = randomBytes(16).toString('base64url');
    for (const path of [
      '/ack/T',
      '/ack/T/',
      '/ack/T/more',
      '/incident/T',
      '/incident/T/',
      '/calendar/T/on-call.ics',
      '/ACK/T',
      '/status/acme?token=T',
      '/invitations/accept?token=T',
    ])
      await fetch(baseUrl + path.replace('T', guess));
    const mail = { name: 'Mail', recipients: ['ops@example.com'] };
    const group = await create(api, '/api/v1/action-groups/email', mail);
    const tested = await api('POST', `/api/v1/action-groups/${group.id}/test`);
    expect(tested.body.delivered).to.equal(false);
    const bearer = await product.issuer.token({ sub: 'user-1' });
    const begun = await fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }),
    });
    const session = begun.headers.get('mcp-session-id')!;
    await fetch(`${baseUrl}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await fetch(`${baseUrl}/api/v1/user`, { headers: { authorization: 'Bearer a-token-that-is-none' } });
    const scopes = ['account.read', 'monitor.read'];
    const { key, id: keyId } = await create<{ key: string; id: string }>(api, '/api/v1/api-keys', {
      name: 'CI',
      scopes,
    });
    for (const text of [key, `${key}A`, `${key.slice(0, 20)}${key.slice(17)}`, key])
      await fetch(`${baseUrl}/api/v1/workspaces`, { headers: { authorization: `Bearer ${text}` } });
    const log = product.controlPlane.output();
    expect(log).to.include('Redis is lost').and.include('/api/v1/invitations/accept');
    expect(log).to.include(`"apiKeyId":"${keyId}"`);
    const tokens = [invitation, guess, bearer, session, 'a-token-that-is-none', key.slice(17)];
    const secrets = [...Object.values(PASSWORDS), ...tokens];
    for (const secret of secrets) expect(log + JSON.stringify(tested.body), secret).to.not.include(secret);
  });
});
