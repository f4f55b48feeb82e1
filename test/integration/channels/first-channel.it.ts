import { expect } from 'chai';
import { ALL_SCOPES } from '../../support/issuer.js';
import { create } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

describe('The first workspace of somebody', () => {
  const app = appForSuite();

  it('has a group with the verified address, which new monitors are given', async () => {
    const api = app.as('newcomer');
    const { body: groups } = await api<object[]>('GET', '/api/v1/action-groups');
    expect(groups).to.have.length(1);
    expect(groups[0]).to.deep.include({ type: 'email', name: 'Me', recipients: ['newcomer@example.test'] });
    expect(groups[0]).to.deep.include({ recipientsPending: [], isEnabled: true, monitorCount: 0 });
    const { id } = await create(api, '/api/v1/monitor', { name: 'Shop', url: 'https://shop.example' });
    const { body } = await api('GET', `/api/v1/monitor/${id}/alert-preview`);
    expect(body).to.include({ willAnyoneHear: true });
  });

  it('has none where the address is not verified', async () => {
    const claims = { email: 'somebody@example.test', email_verified: false, groups: ['watchpost'] };
    const api = app.withToken(await app.issuer.token({ sub: 'unverified', scope: ALL_SCOPES, expiresIn: 600, claims }));
    expect((await api('GET', '/api/v1/action-groups')).body).to.deep.equal([]);
  });
});
