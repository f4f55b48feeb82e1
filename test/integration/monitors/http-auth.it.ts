import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { oneOffInputs } from '@watchpost/control-plane/capabilities/monitors/index';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Fault } from '@watchpost/shared/fault';
import { selfSigned } from '../../support/certificates.js';
import { databaseForSuite } from '../../support/suite.js';
import { monitorDeps, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';

const OAUTH = {
  type: 'oauth2ClientCredentials',
  tokenUrl: 'https://login.shop.example/token',
  clientId: 'robot',
  clientSecret: 'client-geheim',
  scopes: ['read'],
  audience: null,
} as const;

describe('the sign-in of an HTTP monitor', () => {
  const test = databaseForSuite();
  let deps: TestMonitorDeps;
  let actor: Actor;
  before(async () => {
    deps = monitorDeps(test.database);
    actor = await seedActor(test.database);
  });

  const create = async (auth: object) =>
    (await createMonitor(deps, actor, schemas.create.parse({ url: URL_OF_SHOP, http: { auth } }))).monitor;
  const update = async (id: string, body: object) =>
    (await updateMonitor(deps, actor, id, schemas.update.parse(body))).monitor;
  const faultsOf = (auth: object, of = schemas.create) =>
    (of.safeParse({ url: URL_OF_SHOP, http: { auth } }).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    );

  it('is stored sealed, and shown without its secret', async () => {
    const { cert: certificate, key } = await selfSigned();
    for (const [auth, name, secret] of [
      [{ type: 'basic', username: 'robot', password: 'hunter2!' }, 'password', 'hunter2!'],
      [{ type: 'digest', username: 'robot', password: 'geheim-9!' }, 'password', 'geheim-9!'],
      [{ type: 'bearer', token: 'tok-12345678' }, 'token', 'tok-12345678'],
      [OAUTH, 'clientSecret', 'client-geheim'],
      [{ type: 'clientCertificate', certificate, key }, 'key', key.split('\n')[1]!],
    ] as const) {
      const { id, http } = await create(auth);
      expect(http.auth).to.deep.equal({ ...auth, [name]: '***' });
      const kept = await update(id, { http: { auth: http.auth! } });
      expect(kept.http.auth).to.deep.equal(http.auth);
      const [row] = await test.sql<{ text: string; sealed: Buffer; audit: string }>(
        `SELECT monitor::text AS text, secrets AS sealed, (SELECT string_agg(entry::text, '') FROM audit_entry entry) AS audit
           FROM monitor WHERE id = $1`,
        [id],
      );
      expect(row!.text + row!.sealed.toString('latin1') + row!.audit).not.to.contain(secret);
      expect(deps.secretBox.open(row!.sealed, id).toString()).to.contain(JSON.stringify(secret).slice(1, -1));
    }
  });

  it('needs certificates and a key that belong together, also where the key is kept', async () => {
    const [own, other] = [await selfSigned(), await selfSigned()];
    const { privateKey: encrypted } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    });
    const of = (certificate: string, key: string) => ({ type: 'clientCertificate', certificate, key });
    expect(faultsOf(of(own.cert, own.key))).to.deep.equal([]);
    expect(faultsOf(of('hello', 'hello'))).to.deep.equal([
      'http.auth.certificate must be a certificate in PEM',
      'http.auth.key must be a private key in PEM',
    ]);
    expect(faultsOf(of(`${own.cert}\n${own.key}`, encrypted))).to.deep.equal([
      'http.auth.certificate must hold certificates in PEM and nothing else: the key belongs into `key`',
      'http.auth.key is encrypted: send it without a passphrase, it is stored encrypted',
    ]);
    expect(faultsOf(of(own.cert.replace('MII', 'AAA'), own.key))).to.deep.equal([
      'http.auth.certificate has a certificate that cannot be read, number 1 of 1',
    ]);
    expect(faultsOf(of(own.cert, other.key))).to.deep.equal(['http.auth.key is not the key of the first certificate']);
    const { id } = await create(of(own.cert, own.key));
    const refused = await update(id, { http: { auth: of(other.cert, '***') } }).catch((fault: Fault) => fault);
    expect((refused as Fault).details).to.deep.equal([
      { path: 'http.auth.key', message: 'is not the key of the first certificate' },
    ]);
  });

  it('is refused with all its faults at once', () => {
    expect(faultsOf({ type: 'basic', username: 'a:b', password: 'x\n' })).to.deep.equal([
      'http.auth.username must not hold a colon',
      'http.auth.password must not hold control characters',
    ]);
    expect(faultsOf({ type: 'bearer', token: 'a b', username: 'x' })).to.have.length(2);
    expect(faultsOf({ type: 'ntlm' })).to.have.length(1);
    const header = {
      url: 'http://shop.example',
      http: { auth: { type: 'bearer', token: 'x' }, headers: { authorization: 'y' } },
    };
    expect(schemas.create.safeParse(header).error!.issues.map(({ path }) => path.join('.'))).to.deep.equal([
      'http.headers.authorization',
    ]);
  });

  it('needs https:// for a certificate', async () => {
    const { cert: certificate, key } = await selfSigned();
    const body = { url: 'http://shop.example', http: { auth: { type: 'clientCertificate', certificate, key } } };
    expect(schemas.create.safeParse(body).error!.issues.map(({ path }) => path.join('.'))).to.deep.equal(['http.auth']);
  });

  it('keeps a client secret to the token endpoint and the site that it was given for', async () => {
    const { id } = await create(OAUTH);
    const kept = { ...OAUTH, clientSecret: '***' };
    expect((await update(id, { http: { auth: { ...kept, scopes: [] } } })).http.auth).to.deep.equal({
      ...kept,
      scopes: [],
    });
    for (const body of [
      { http: { auth: { ...kept, tokenUrl: 'https://evil.example/token' } } },
      { http: { auth: { ...kept, tokenUrl: 'http://login.shop.example/token' } } },
      { url: 'https://evil.example/' },
    ]) {
      const refused = await update(id, body).catch((fault: Fault) => fault);
      expect((refused as Fault).details.map(({ path }) => path)).to.deep.equal(['http.auth.clientSecret']);
    }
    await update(id, { http: { auth: { ...OAUTH, tokenUrl: 'https://other.example/token' } } });
  });

  it('needs a token endpoint that may be asked', () => {
    for (const tokenUrl of ['ftp://a.example/t', 'login.example', 'http://10.0.0.1/t', 'https://u:p@a.example/t'])
      expect(faultsOf({ ...OAUTH, tokenUrl }), tokenUrl)
        .to.have.length(1)
        .and.satisfy(([fault]: string[]) => fault!.startsWith('http.auth.tokenUrl must'));
    expect(faultsOf({ ...OAUTH, tokenUrl: 'x', scopes: ['a b'], clientId: '' })).to.have.length(3);
  });

  it('is sent with one-off tests', () => {
    const auth = { type: 'basic', username: 'robot', password: 'hunter2!' };
    const input = oneOffInputs({ egress: createEgressPolicy({ allowCidrs: [] }) }).ofType('HttpAvailability');
    expect(input.parse({ url: URL_OF_SHOP, http: { auth } }).target).to.deep.include({ auth });
  });
});
