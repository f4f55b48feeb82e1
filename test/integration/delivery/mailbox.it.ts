import { request } from 'node:http';
import { expect } from 'chai';
import { startTestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { startProduct, type Product } from '../../support/product.js';
import { makeWorld } from '../../support/seed.js';

describe('Without a mail server', () => {
  let product: Product;
  before(async function () {
    // An empty variable counts as not set, so the embedded provider runs.
    product = await startProduct({ env: { OIDC_ISSUER: '', OIDC_AUDIENCE: '' } });
  });
  after(async function () {
    await product.stop();
  });

  async function api(method: string, path: string, body?: unknown) {
    const token = (await product.admin('token')).trim();
    const answer = await fetch(product.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { id: string; link: string }[] & { id: string; link: string };
  }

  it('mail is in the local mailbox, which HTTP and the command line show', async function () {
    const [workspace] = await api('GET', '/api/v1/workspaces');
    const { link } = await api('POST', `/api/v1/workspaces/${workspace!.id}/invitations`, {
      email: 'ann@example.test',
      role: 'Editor',
    });
    const page = await eventually('the mail is there', async () => {
      const text = await (await fetch(`${product.baseUrl}/mailbox`)).text();
      return text.includes('ann@example.test') ? text : undefined;
    });
    expect(page).to.include(`<a href="${link}">`);
    expect(await product.admin('mailbox'))
      .to.include('to ann@example.test')
      .and.to.include(link);
    const opened = await fetch(link);
    expect(opened.status).to.equal(200);
    expect(await opened.text())
      .to.include('You are invited to')
      .and.to.include('/api/v1/invitations/accept');
    expect(
      (await api('GET', `/api/v1/workspaces/${workspace!.id}/invitations`))[0],
      'opening it accepts nothing',
    ).to.include({
      status: 'pending',
    });
  });

  it('the local mailbox is refused under a foreign host name that resolves to this machine', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(product.baseUrl);
      request({ host: '127.0.0.1', port, path: '/mailbox', headers: { host: `evil.example:${port}` } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(404);
  });

  it('there is no local mailbox with an external identity provider', async () => {
    const app = await startTestApp();
    try {
      expect((await fetch(`${app.baseUrl}/mailbox`)).status).to.equal(404);
    } finally {
      await app.stop();
    }
  });

  it('the local mailbox keeps only the newest mails', async () => {
    const app = await startTestApp();
    try {
      const world = await makeWorld(app);
      await app.sql(
        `INSERT INTO local_mail (id, at, recipient, subject, text, html)
         SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'x', 'x', 'x', 'x' FROM generate_series(1, 600) n`,
      );
      await world.api('POST', `/api/v1/workspaces/${world.workspaceId}/invitations`, {
        email: 'new@example.test',
        role: 'Viewer',
      });
      await app.plane.delivery.runDue();
      const rows = await app.sql<{ recipient: string }>('SELECT recipient FROM local_mail ORDER BY id DESC');
      expect(rows).to.have.length(500);
      expect(rows[0]!.recipient).to.equal('new@example.test');
    } finally {
      await app.stop();
    }
  });
});
