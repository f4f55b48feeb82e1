import { createHmac, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { IssuerKeys } from '@watchpost/control-plane/platform/identity/issuer-keys';
import { createTokenVerifier, type TokenVerifier } from '@watchpost/control-plane/platform/identity/token-verifier';
import { eventually } from '../../support/eventually.js';
import { startTestIssuer, type TokenOptions } from '../../support/issuer.js';
import { startedForEach } from '../../support/suite.js';

const JWKS = '/jwks';

describe('An access token', () => {
  const issuer = startedForEach(() => startTestIssuer());
  let clock: ManualClock;
  let verifier: TokenVerifier;

  beforeEach(() => {
    clock = new ManualClock(Date.now());
    verifier = verifierOf(issuer);
  });

  function verifierOf(
    { issuer: url, audience, resource }: { issuer: string; audience: string; resource?: string },
    keys?: IssuerKeys,
  ): TokenVerifier {
    return createTokenVerifier({
      issuer: url,
      audience,
      ...(resource === undefined ? {} : { resource }),
      clock,
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
      ...(keys ? { keys } : {}),
    });
  }
  async function codeOf(token: string | Promise<string>): Promise<string> {
    try {
      await verifier.verify(await token);
      return 'ok';
    } catch (error) {
      return error instanceof Fault ? error.code : `not a fault: ${String(error)}`;
    }
  }
  const fetches = (): number => issuer.requests.get(JWKS) ?? 0;
  const epoch = (): number => Math.floor(clock.now() / 1000);

  it('identifies the caller, the client and the scopes', async () => {
    const token = await issuer.token({
      sub: 'alice',
      scope: 'monitor.read user.read',
      claims: { email: 'alice@example.com', email_verified: true, name: 'Alice', client_id: 'console' },
    });
    const verified = await verifier.verify(token);
    expect(verified).to.deep.include({ issuer: issuer.issuer, subject: 'alice', clientId: 'console' });
    expect([...verified.scopes]).to.deep.equal(['monitor.read', 'user.read']);
    expect(verified.profile).to.deep.equal({ email: 'alice@example.com', emailVerified: true, name: 'Alice' });
  });

  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    it(`is taken when signed with ${alg}`, async () => {
      expect(await codeOf(issuer.token({ alg }))).to.equal('ok');
    });
  }

  it('may have its scopes in scp, as text or as a list', async () => {
    for (const scp of ['a b', ['a', 'b']]) {
      const { scopes } = await verifier.verify(await issuer.token({ scope: null, claims: { scp } }));
      expect([...scopes]).to.deep.equal(['a', 'b']);
    }
    expect([...(await verifier.verify(await issuer.token({ scope: null }))).scopes]).to.deep.equal([]);
  });

  it('may name several audiences, whatever its typ', async () => {
    expect(await codeOf(issuer.token({ claims: { aud: ['other', issuer.audience] } }))).to.equal('ok');
    for (const typ of ['JWT', 'at+jwt', 'anything'])
      expect(await codeOf(issuer.token({ header: { typ } })), typ).to.equal('ok');
  });

  it('may be issued for a resource of this service, and for no other (RFC 8707)', async () => {
    const resource = 'https://watchpost.example/mcp';
    verifier = verifierOf({ ...issuer, resource });
    for (const aud of [resource, issuer.audience, [resource, 'other']])
      expect(await codeOf(issuer.token({ claims: { aud } })), String(aud)).to.equal('ok');
    for (const aud of [
      'https://watchpost.example',
      `${resource}/`,
      'https://watchpost.example/mcp2',
      'https://other.example/mcp',
    ])
      expect(await codeOf(issuer.token({ claims: { aud } })), aud).to.equal('invalid_token');
  });

  it('is taken within a minute of skew, and not beyond', async () => {
    expect(await codeOf(issuer.token({ expiresIn: -50 }))).to.equal('ok');
    expect(await codeOf(issuer.token({ expiresIn: -70 }))).to.equal('invalid_token');
    expect(await codeOf(issuer.token({ claims: { nbf: epoch() + 50 } }))).to.equal('ok');
    expect(await codeOf(issuer.token({ claims: { nbf: epoch() + 70 } }))).to.equal('invalid_token');
  });

  const refused: Record<string, TokenOptions> = {
    'without exp': { expiresIn: null },
    'with an exp that is text': { claims: { exp: '9999999999' } },
    'of another issuer': { claims: { iss: 'https://elsewhere.example' } },
    'without an issuer': { claims: { iss: undefined } },
    'for another audience': { claims: { aud: 'other' } },
    'for other audiences': { claims: { aud: ['other', 'another'] } },
    'without an audience': { claims: { aud: undefined } },
    'without sub': { claims: { sub: undefined } },
    'with an empty sub': { sub: '' },
    'with a blank sub': { sub: '  ' },
    'with a sub that is a number': { claims: { sub: 7 } },
    'with a sub that cannot be stored': { sub: 'a\0b' },
    'with an endless sub': { sub: 'x'.repeat(2_000) },
    'signed with ES384': { alg: 'ES384' },
    'signed with RS512': { alg: 'RS512' },
  };
  for (const [what, options] of Object.entries(refused)) {
    it(`${what} is refused`, async () => {
      expect(await codeOf(issuer.token(options))).to.equal('invalid_token');
    });
  }

  it('without a signature, or signed with a public key as a shared secret, is refused without asking the issuer', async () => {
    const [, payload] = (await issuer.token()).split('.');
    const head = (alg: string): string => Buffer.from(JSON.stringify({ alg, kid: 'ES256-1' })).toString('base64url');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const hmac = createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
      .update(`${head('HS256')}.${payload}`)
      .digest('base64url');
    for (const token of [
      `${head('none')}.${payload}.`,
      `${head('HS256')}.${payload}.${hmac}`,
      `${head('nOnE')}.${payload}.`,
    ]) {
      expect(await codeOf(token)).to.equal('invalid_token');
    }
    expect(fetches()).to.equal(0);
  });

  it('signed by somebody else under a known key id is refused', async () => {
    await verifier.verify(await issuer.token());
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = await new SignJWT({ sub: 'user-1' })
      .setProtectedHeader({ alg: 'ES256', kid: 'ES256-1' })
      .setIssuer(issuer.issuer)
      .setAudience(issuer.audience)
      .setExpirationTime('1h')
      .sign(privateKey);
    expect(await codeOf(forged)).to.equal('invalid_token');
  });

  it('without a key id is taken where one of the keys signed it', async () => {
    await issuer.token({ alg: 'RS256' });
    expect(await codeOf(issuer.token({ header: { kid: undefined } as never }))).to.equal('ok');
  });

  it('that was changed in any place is refused, and never an internal error', async () => {
    const token = await issuer.token();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: token.length - 1 }),
        fc.constantFrom('A', 'z', '.', '~', '\u00e9', ''),
        async (at, char) => {
          const changed = token.slice(0, at) + char + token.slice(at + 1);
          // The last character of a base64url part holds bits that nobody reads.
          fc.pre(changed !== token && token[at + 1] !== '.' && at !== token.length - 1);
          expect(await codeOf(changed)).to.equal('invalid_token');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('made of nonsense is refused, and never an internal error', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        expect(await codeOf(parts.join('.'))).to.equal('invalid_token');
      }),
    );
    expect(await codeOf('x'.repeat(100_000))).to.equal('invalid_token');
    expect(fetches()).to.equal(0);
  });

  it('is verified once and then known, until it expires', async () => {
    const token = await issuer.token({ expiresIn: 100 });
    const first = await verifier.verify(token);
    expect(await verifier.verify(token)).to.equal(first);
    clock.advance(170_000);
    expect(await codeOf(token)).to.equal('invalid_token');
  });

  describe('and the keys of the issuer', () => {
    it('are fetched once, however many ask at once', async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => verifier.verify(await issuer.token({ sub: `user-${n}` }))),
      );
      expect(fetches()).to.equal(1);
    });

    it('are fetched again for a new key, at most once in 30 s', async () => {
      await verifier.verify(await issuer.token());
      issuer.rotateKeys();
      const fresh = await issuer.token();
      expect(await codeOf(fresh)).to.equal('invalid_token');
      expect(fetches()).to.equal(1);
      clock.advance(30_000);
      expect(await codeOf(fresh)).to.equal('ok');
      expect(fetches()).to.equal(2);
    });

    it('are not fetched for every stranger with a key id of their own', async () => {
      await verifier.verify(await issuer.token());
      clock.advance(31_000);
      for (let n = 0; n < 10; n++)
        expect(await codeOf(issuer.token({ header: { kid: `made-up-${n}` } }))).to.equal('invalid_token');
      expect(fetches()).to.equal(2);
    });

    it('are forgotten when the issuer withdraws them, with the tokens that they signed', async () => {
      const old = await issuer.token();
      expect(await codeOf(old)).to.equal('ok');
      issuer.rotateKeys();
      clock.advance(31_000);
      expect(await codeOf(issuer.token())).to.equal('ok');
      expect(await codeOf(old)).to.equal('invalid_token');
    });

    it('that cannot be had make the service unavailable, not the token invalid, and known keys serve on', async () => {
      issuer.broken = true;
      const token = await issuer.token();
      expect(await codeOf(token)).to.equal('unavailable');
      issuer.broken = false;
      clock.advance(30_000);
      expect(await codeOf(token)).to.equal('ok');
      issuer.broken = true;
      clock.advance(31_000);
      expect(await codeOf(issuer.token({ sub: 'another', expiresIn: 3_600 }))).to.equal('ok');
      expect(await codeOf(issuer.token({ header: { kid: 'unknown' } }))).to.equal('unavailable');
    });

    it('are used no more when the issuer could not be reached for an hour, also for tokens that are known', async () => {
      const known = await issuer.token({ expiresIn: 6 * 3_600 });
      const another = await issuer.token({ sub: 'another', expiresIn: 6 * 3_600 });
      expect(await codeOf(known)).to.equal('ok');
      issuer.broken = true;
      clock.advance(3_599_000);
      expect(await codeOf(known)).to.equal('ok');
      clock.advance(1_000);
      // The fetch that was tried a moment ago may not be repeated at once.
      for (const waitMs of [0, 31_000, 3_600_000]) {
        clock.advance(waitMs);
        expect(await codeOf(known)).to.equal('unavailable');
        expect(await codeOf(another)).to.equal('unavailable');
      }
      issuer.broken = false;
      clock.advance(31_000);
      expect(await codeOf(known)).to.equal('ok');
      expect(await codeOf(another)).to.equal('ok');
    });

    it('that were withdrawn end known tokens within ten minutes, without a token that needs another key', async () => {
      const known = await issuer.token({ expiresIn: 6 * 3_600 });
      expect(await codeOf(known)).to.equal('ok');
      issuer.rotateKeys();
      clock.advance(601_000);
      await codeOf(known);
      await eventually('the keys were fetched', () => (fetches() > 1 ? true : undefined));
      await eventually('the token is refused', async () =>
        (await codeOf(known)) === 'invalid_token' ? true : undefined,
      );
    });

    it('are fetched again after a clock was ahead and is set back, for new keys and for withdrawn ones', async () => {
      const known = await issuer.token({ expiresIn: 6 * 3_600 });
      expect(await codeOf(known)).to.equal('ok');
      issuer.rotateKeys();
      clock.advance(-31_000);
      expect(await codeOf(issuer.token())).to.equal('ok');
      expect(await codeOf(known)).to.equal('invalid_token');

      const next = await issuer.token({ expiresIn: 6 * 3_600 });
      expect(await codeOf(next)).to.equal('ok');
      issuer.rotateKeys();
      clock.advance(-601_000);
      await codeOf(next);
      await eventually('the token is refused', async () =>
        (await codeOf(next)) === 'invalid_token' ? true : undefined,
      );
    });

    it('are used no more after a clock is set back by an hour, while the issuer cannot be reached', async () => {
      const known = await issuer.token({ expiresIn: 6 * 3_600 });
      expect(await codeOf(known)).to.equal('ok');
      issuer.broken = true;
      clock.advance(-3_600_000);
      expect(await codeOf(known)).to.equal('unavailable');
    });

    it('are not taken from an issuer that cannot be reached', async () => {
      verifier = verifierOf({ issuer: 'http://127.0.0.1:1', audience: issuer.audience });
      expect(await codeOf(issuer.token({ claims: { iss: 'http://127.0.0.1:1' } }))).to.equal('unavailable');
    });

    it('are not taken from a document of another issuer', async () => {
      verifier = verifierOf({ issuer: `${issuer.issuer}/`, audience: issuer.audience });
      expect(await codeOf(issuer.token({ claims: { iss: `${issuer.issuer}/` } }))).to.equal('unavailable');
    });
  });

  describe('and the userinfo endpoint', () => {
    it('supplies the profile that a token does not contain', async () => {
      const token = await issuer.token({ sub: 'bob' });
      await verifier.verify(token);
      issuer.userinfo.set('bob', { email: 'bob@example.com', email_verified: true, name: 'Bob' });
      expect(await verifier.userinfo(token, 'bob')).to.deep.equal({
        email: 'bob@example.com',
        emailVerified: true,
        name: 'Bob',
      });
    });

    it('is not asked for 30 s after it could not be reached, also where the clock is set back meanwhile', async () => {
      await verifier.verify(await issuer.token());
      const endpoints = verifier.keys.endpoints()!;
      let userinfoEndpoint: string | null = 'http://127.0.0.1:1/userinfo';
      const keys: IssuerKeys = { ...verifier.keys, endpoints: () => ({ ...endpoints, userinfoEndpoint }) };
      verifier = verifierOf(issuer, keys);
      issuer.userinfo.set('bob', { email: 'bob@example.com', email_verified: true });
      const token = await issuer.token({ sub: 'bob' });
      const emailOf = async () => (await verifier.userinfo(token, 'bob'))?.email ?? null;
      expect(await emailOf()).to.equal(null);
      userinfoEndpoint = endpoints.userinfoEndpoint;
      expect(await emailOf()).to.equal(null);
      clock.advance(-30_000);
      expect(await emailOf()).to.equal('bob@example.com');
    });

    it('is ignored when its subject is another one, and not needed', async () => {
      const token = await issuer.token({ sub: 'bob' });
      await verifier.verify(token);
      issuer.userinfo.set('bob', { sub: 'mallory', email: 'mallory@example.com' });
      expect(await verifier.userinfo(token, 'bob')).to.equal(null);
      issuer.broken = true;
      expect(await verifier.userinfo(token, 'bob')).to.equal(null);
    });
  });
});
