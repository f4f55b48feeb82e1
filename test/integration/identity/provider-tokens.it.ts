import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { mintDemoToken } from '@watchpost/control-plane/embedded/provider/mint-demo-token';
import { DEVICE_GRANT, startProviderWorld } from './provider-world.js';
import { startedForSuite } from '../../support/suite.js';

describe('The embedded OpenID provider', () => {
  const world = startedForSuite(() => startProviderWorld());

  it('describes itself, also as an authorization server, with all its endpoints', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { status, body } = await world.service.get(path, null);
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        issuer: world.service.url,
        token_endpoint: `${world.service.url}/oauth/token`,
        code_challenge_methods_supported: ['S256'],
      });
      expect(body['scopes_supported']).to.include.members(['monitor.admin', 'edit:user', 'offline_access']);
      expect(body['grant_types_supported']).to.include.members([
        'authorization_code',
        'refresh_token',
        'client_credentials',
        DEVICE_GRANT,
      ]);
    }
    const { body } = await world.service.get('/oauth/jwks', null);
    expect((body['keys'] as object[])[0])
      .to.include({ kty: 'EC', alg: 'ES256' })
      .and.not.have.property('d');
  });

  describe('client credentials', () => {
    const credentials = { grant_type: 'client_credentials' };

    it('give the demo machine client a token with every scope, which sees what the demo account sees', async () => {
      const { status, body } = await world.post(
        '/oauth/token',
        credentials,
        world.basic(world.printed('client_id'), world.printed('client_secret')),
      );
      expect(status).to.equal(200);
      expect(body).to.include({ token_type: 'Bearer', expires_in: 3_600 });
      expect(body['scope']!.split(' ')).to.include.members(['monitor.admin', 'account.read', 'user.read']);
      expect(decodeJwt(body['access_token']!)).to.include({
        sub: 'watchpost-demo',
        client_id: 'watchpost-demo',
        aud: 'watchpost-api',
        iss: world.service.url,
      });

      const mine = await world.service.workspaces(body['access_token']!);
      const demo = await world.service.workspaces(await mintDemoToken(world.deps));
      expect(mine.status).to.equal(200);
      expect(demo.body).to.have.length(1);
      expect(mine.body[0]!.id).to.equal(demo.body[0]!.id);
      expect(mine.body.map(({ id, role }) => [id, role])).to.deep.include([demo.body[0]!.id, 'Admin']);
      expect((await world.service.get('/api/v1/user', body['access_token']!)).body).to.include({
        name: 'Demo machine client',
        email: null,
        plan: 'Starter',
      });
    });

    it('may be in the body, and may ask for less', async () => {
      const { body } = await world.post('/oauth/token', {
        ...credentials,
        client_id: world.printed('client_id'),
        client_secret: world.printed('client_secret'),
        scope: 'user.read',
      });
      expect(body['scope']).to.equal('user.read');
      expect((await world.service.get('/api/v1/user', body['access_token']!)).status).to.equal(200);
      const refused = await world.service.get('/api/v1/workspaces', body['access_token']!);
      expect([refused.status, refused.body['error']]).to.deep.equal([403, 'insufficient_scope']);
    });

    it('that are wrong give nothing', async () => {
      expect(
        (await world.post('/oauth/token', credentials, world.basic(world.printed('client_id'), 'wrong'))).body,
      ).to.include({
        error: 'invalid_client',
      });
      expect((await world.post('/oauth/token', { ...credentials, client_id: 'watchpost-cli' })).status).to.equal(400);
    });
  });

  describe('a refresh token', () => {
    it('is exchanged for a new one; the old one, used again, ends the sign-in', async () => {
      const clientId = await world.registered();
      const first = (await world.tokensByBrowser(clientId)).body;
      const refresh = (token: string) =>
        world.post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
      const second = await refresh(first['refresh_token']!);
      expect(second.status).to.equal(200);
      expect(second.body['refresh_token']!).to.not.equal(first['refresh_token']);
      expect((await world.service.get('/api/v1/user', second.body['access_token']!)).status).to.equal(200);
      expect((await refresh(first['refresh_token']!)).body).to.include({ error: 'invalid_grant' });
      expect((await refresh(second.body['refresh_token']!)).body).to.include({ error: 'invalid_grant' });
      expect((await refresh('\0')).body).to.include({ error: 'invalid_grant' });
    });
  });
});
