import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createEmbeddedProvider } from '@watchpost/control-plane/embedded/provider/embedded-provider';
import { mintDemoToken } from '@watchpost/control-plane/embedded/provider/mint-demo-token';
import { startIdentityService } from './identity-service.js';
import { startProviderWorld } from './provider-world.js';
import { startedForSuite } from '../../support/suite.js';

describe('The embedded OpenID provider, over time and for strangers', () => {
  const world = startedForSuite(() => startProviderWorld());

  it('shows the same credentials after a restart elsewhere, and the demo account keeps its workspace', async () => {
    const before = await world.service.workspaces(await mintDemoToken(world.deps));
    const again = await startIdentityService(world.deps);
    try {
      expect(again.url).to.not.equal(world.service.url);
      const secrets = (lines: string[]): string[] => lines.filter((line) => !line.startsWith('token endpoint'));
      expect(secrets(again.provider.describe())).to.deep.equal(secrets(world.service.provider.describe()));
      const after = await again.workspaces(await mintDemoToken(world.deps));
      expect(after.body).to.deep.equal(before.body);
    } finally {
      await again.stop();
    }
  });

  it('keeps its secrets sealed, and names the fault where the key is another', async () => {
    const [row] = await world.deps.db.read((tx) => tx.query<{ secrets: Buffer }>('SELECT secrets FROM provider_setup'));
    expect(row!.secrets.toString('latin1'))
      .to.not.include(world.printed('client_secret'))
      .and.not.include(world.printed('password'));
    const failure = await mintDemoToken({ ...world.deps, secretBox: createSecretBox(randomBytes(32)) }).catch(
      (error: Error) => error,
    );
    // A fault and no surprise: the operators' command prints its sentence alone.
    expect(failure).to.be.instanceOf(Fault).and.to.have.property('message').that.includes('ENCRYPTION_KEY');
  });

  it('removes what has expired', async () => {
    const clock = new ManualClock(Date.now() + 400 * 86_400_000);
    const left = () =>
      world.deps.db.read((tx) => tx.query(`SELECT 1 FROM provider_entity WHERE expires_at IS NOT NULL`));
    await world.registered();
    expect(await left()).to.not.have.length(0);
    const options = {
      ...world.deps,
      clock,
      logger: pino({ level: 'silent' }),
      baseUrl: world.service.url,
      host: '127.0.0.1',
      production: false,
      isInvited: () => Promise.resolve(false),
    };
    const provider = await createEmbeddedProvider(options);
    await provider.stop();
    expect(await left()).to.have.length(0);
  });

  it('does not run in production, nor where others could reach it', async () => {
    const options = {
      ...world.deps,
      logger: pino({ level: 'silent' }),
      baseUrl: world.service.url,
      host: '127.0.0.1',
      production: false,
      isInvited: () => Promise.resolve(false),
    };
    const refusal = (change: object) =>
      createEmbeddedProvider({ ...options, ...change }).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await refusal({ production: true })).to.include('NODE_ENV=production');
    expect(await refusal({ host: '0.0.0.0' })).to.include('HOST is 0.0.0.0');
    expect(await refusal({ baseUrl: 'http://watchpost.example' })).to.include('BASE_URL');
  });

  it('knows itself by loopback names only, so that no page on the web becomes one with it by DNS', async () => {
    const { port } = new URL(world.service.url);
    const discovery = '/.well-known/openid-configuration';
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect(await world.statusFor(`${name}:${port}`, discovery), name).to.equal(200);
    }
    for (const name of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '127.evil.example']) {
      expect(await world.statusFor(`${name}:${port}`, discovery), name).to.equal(404);
      expect(await world.statusFor(name, '/oauth/jwks'), name).to.equal(404);
    }
    expect(await world.statusFor(`evil.example:${port}`, '/health'), 'what needs no secret is served').to.equal(200);
  });
});
