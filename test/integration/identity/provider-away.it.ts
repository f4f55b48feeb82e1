import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { appForSuite } from '../../support/suite.js';

describe('A provider that does not answer', () => {
  const app = appForSuite();

  const health = async () => (await app.anonymous('GET', '/health')).body.checks.identityProvider;
  const refreshed = (status: string) =>
    eventually(status, async () => {
      app.clock.advance(600_001);
      await app.owner.api('GET', '/api/v1/user').catch(() => undefined);
      return (await health()).status === status || undefined;
    });

  it('is named by the health of the service, which goes on', async () => {
    expect(await health()).to.deep.equal({ status: 'ok' });
    app.issuer.broken = true;
    await refreshed('degraded');
    const { status, body } = await app.anonymous('GET', '/health');
    expect([status, body.status]).to.deep.equal([200, 'degraded']);
    expect(body.checks.identityProvider.message).to.include('nobody can sign in');
    app.issuer.broken = false;
    await refreshed('ok');
  });
});
