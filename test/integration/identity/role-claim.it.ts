import { expect } from 'chai';
import { startTestApp } from '../../support/app.js';
import { appForSuite } from '../../support/suite.js';
import { ConsoleBrowser } from '../sign-in/console-browser.js';

describe('Roles from a claim', () => {
  const app = appForSuite({ env: { ROLE_CLAIM: 'realm.groups', OIDC_CONSOLE_CLIENT_ID: 'console' } });
  let path: string;
  before(async () => {
    path = `/api/v1/workspaces/${app.owner.workspaceId}`;
    await map({ staff: 'Viewer', ops: 'Editor', leads: 'Admin' });
  });

  const map = async (roleMapping: Record<string, string | null> | null) => {
    const { status, body } = await app.api('PATCH', path, { settings: { roleMapping } });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.settings.roleMapping as Record<string, string>;
  };
  let tokens = 0;
  /** Signs in with a new token of a person who has these groups; undefined: the token has no such claim. */
  const signIn = async (sub: string, groups: unknown, more: Record<string, unknown> = {}) => {
    app.clock.advance(1_000);
    const claims = { email: `${sub}@acme.example`, email_verified: true, jti: `t${tokens++}`, ...more };
    const realm = groups === undefined ? {} : { realm: { groups } };
    const iat = Math.floor(app.clock.now() / 1_000);
    const token = await app.issuer.token({ sub, claims: { iat, ...claims, ...realm } });
    const { status, body } = await app.withToken(token)('GET', '/api/v1/workspaces');
    expect(status).to.equal(200);
    return { token, roles: Object.fromEntries(body.map((each: { id: string; role: string }) => [each.id, each.role])) };
  };
  const roleOf = async (...sent: Parameters<typeof signIn>) => (await signIn(...sent)).roles[app.owner.workspaceId];
  const memberOf = async (sub: string) => {
    const { body } = await app.api('GET', `${path}/members?pageSize=200`);
    return body.find(({ email }: { email: string }) => email === `${sub}@acme.example`);
  };
  const entries = async (sub: string) => {
    const { body } = await app.api('GET', `${path}/audit?targetType=member&pageSize=200`);
    return body
      .filter(({ target }: { target: { name: string } }) => target.name === `${sub}@acme.example`)
      .map(({ action, actor, changes }: never) => ({ action, actor, changes }) as Record<string, never>);
  };

  it('let people join with the highest that matches, change it, and leave when none does', async () => {
    expect(await roleOf('ann', ['others', 'staff', 'ops'])).to.equal('Editor');
    expect(await memberOf('ann')).to.include({ role: 'Editor', roleSource: 'claim', status: 'active' });
    expect(await roleOf('ann', 'leads')).to.equal('Admin');
    expect(await roleOf('ann', ['staff'])).to.equal('Viewer');
    expect(await roleOf('ann', [])).to.equal(undefined);
    expect(await memberOf('ann')).to.equal(undefined);
    const [removed, changed, , added] = await entries('ann');
    expect([added!.action, changed!.action, removed!.action]).to.deep.equal([
      'member.added',
      'member.role_changed',
      'member.removed',
    ]);
    expect(added!.actor).to.deep.equal({ type: 'system', id: null, name: 'Role mapping' });
    expect(added!.changes).to.deep.include({
      role: { from: null, to: 'Editor' },
      claimValue: { from: null, to: 'ops' },
    });
    expect(changed!.changes).to.deep.include({ role: { from: 'Admin', to: 'Viewer' } });
  });

  it('hold for a new account from its first request on, whose default workspace is the one of the mapping', async () => {
    const { token } = await signIn('bea', ['ops']);
    const created = await app.withToken(token)('POST', '/api/v1/service-group', { name: 'Shop' });
    expect(created.status).to.equal(201);
    const [row] = await app.sql('SELECT workspace_id AS id FROM service_group WHERE id = $1', [created.body.id]);
    expect(row!['id']).to.equal(app.owner.workspaceId);
  });

  it('revoke the API keys of those who leave', async () => {
    const { token } = await signIn('cleo', ['ops']);
    const key = { name: 'CI', scopes: ['monitor.read'] };
    const made = await app.withToken(token)('POST', '/api/v1/api-keys', key, {
      'x-workspace-id': app.owner.workspaceId,
    });
    expect(made.status).to.equal(201);
    await signIn('cleo', []);
    expect((await app.withToken(made.body.key)('GET', '/api/v1/monitor')).status).to.equal(401);
  });

  it('leave alone those whose role people gave: the Owner, who was invited, and who was changed by hand', async () => {
    expect((await signIn(app.owner.sub, ['staff'])).roles[app.owner.workspaceId]).to.equal('Owner');
    const viewer = await app.member('Viewer');
    expect((await signIn(viewer.sub, ['leads'])).roles[app.owner.workspaceId]).to.equal('Viewer');
    expect((await signIn(viewer.sub, [])).roles[app.owner.workspaceId]).to.equal('Viewer');
    await signIn('dan', ['staff']);
    const { id } = await memberOf('dan');
    expect((await app.api('PATCH', `${path}/members/${id}`, { role: 'Responder' })).body).to.include({
      roleSource: 'hand',
    });
    for (const groups of [['leads'], []]) expect(await roleOf('dan', groups)).to.equal('Responder');
  });

  it('do not end a suspension', async () => {
    await signIn('eve', ['ops']);
    const { id } = await memberOf('eve');
    await app.api('PATCH', `${path}/members/${id}`, { status: 'suspended' });
    for (const groups of [[], ['leads']]) expect(await roleOf('eve', groups)).to.equal(undefined);
    expect(await memberOf('eve')).to.include({ status: 'suspended', role: 'Admin' });
  });

  it('come from userinfo where the token has no such claim; without an answer nothing changes', async () => {
    const about = { sub: 'fay', email: 'fay@acme.example', email_verified: true };
    app.issuer.userinfo.set('fay', { ...about, realm: { groups: ['ops'] } });
    expect(await roleOf('fay', undefined)).to.equal('Editor');
    app.issuer.userinfo.delete('fay');
    expect(await roleOf('fay', undefined)).to.equal('Editor');
    app.issuer.userinfo.set('fay', about);
    expect(await roleOf('fay', undefined)).to.equal(undefined);
  });

  it('do not come back by an older token that is still in use', async () => {
    const { token } = await signIn('gil', ['ops']);
    expect(await roleOf('gil', [])).to.equal(undefined);
    app.clock.advance(60_001);
    const { body } = await app.withToken(token)('GET', '/api/v1/workspaces');
    expect(body).to.have.length(1);
  });

  it('hold at a sign-in to the console', async () => {
    const browser = new ConsoleBrowser(app.baseUrl);
    app.issuer.person = {
      sub: 'hal',
      idClaims: { email: 'hal@acme.example', email_verified: true, realm: { groups: ['ops'] } },
    };
    expect((await browser.send(await browser.begin())).status).to.equal(303);
    expect(await memberOf('hal')).to.include({ role: 'Editor', roleSource: 'claim' });
  });

  it('are mapped by Admins, never to Owner, and merged by value', async () => {
    const admin = await app.member('Admin');
    const as = (sub: string) => app.as(sub, { workspaceId: app.owner.workspaceId });
    const patch = (roleMapping: unknown) => ({ settings: { roleMapping } });
    const { body } = await as(admin.sub)('PATCH', path, patch({ night: 'Admin' }));
    expect(body.settings.roleMapping).to.deep.equal({ staff: 'Viewer', ops: 'Editor', leads: 'Admin', night: 'Admin' });
    expect(await map({ night: null })).to.deep.equal({ staff: 'Viewer', ops: 'Editor', leads: 'Admin' });
    const editor = await app.member('Editor');
    expect((await as(editor.sub)('PATCH', path, patch({ night: 'Viewer' }))).status).to.equal(403);
    for (const wrong of [
      { ops: 'Owner' },
      { ops: 'Boss' },
      { '': 'Viewer' },
      { ['x'.repeat(201)]: 'Viewer' },
      ['ops'],
      'ops',
    ])
      expect((await app.api('PATCH', path, patch(wrong))).status, JSON.stringify(wrong)).to.equal(400);
    const many = Object.fromEntries(Array.from({ length: 98 }, (_, n) => [`g${n}`, 'Viewer']));
    const refused = await app.api('PATCH', path, patch(many));
    expect([refused.status, refused.body.details[0].path]).to.deep.equal([400, 'settings.roleMapping']);
    const [entry] = (await app.api('GET', `${path}/audit?action=workspace.updated`)).body;
    expect(entry.changes).to.have.property('settings.roleMapping.night');
  });

  it('are not to be had where the operator has named no claim', async () => {
    const plain = await startTestApp({ env: { SIGN_IN_CONTACT: 'ops@acme.example' } });
    const own = `/api/v1/workspaces/${plain.owner.workspaceId}`;
    const mapping = { settings: { roleMapping: { ops: 'Viewer' } } };
    for (const [method, to, body] of [
      ['PATCH', own, mapping],
      ['POST', '/api/v1/workspaces', { name: 'Shop', ...mapping }],
    ] as const) {
      const refused = await plain.api(method, to, body);
      expect([refused.status, refused.body.error]).to.deep.equal([400, 'validation_failed']);
      expect(refused.body.message).to.include('gives no roles by a claim; ask ops@acme.example.');
    }
    expect((await plain.api('GET', own)).body.settings.roleMapping).to.deep.equal({});
    await plain.stop();
  });
});
