import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { createAuthenticator } from '@watchpost/control-plane/platform/identity/authenticator';
import type { Caller } from '@watchpost/control-plane/platform/identity/caller';
import { createTokenVerifier } from '@watchpost/control-plane/platform/identity/token-verifier';
import { createUsers } from '@watchpost/control-plane/capabilities/users/index';
import { createPersonalWorkspace } from '@watchpost/control-plane/capabilities/workspaces/index';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestIssuer, type TestIssuer } from '../../support/issuer.js';

describe('The first valid token of a principal', () => {
  let test: TestDatabase;
  let issuer: TestIssuer;
  let clock: ManualClock;
  let authenticate: (token: string) => Promise<Caller>;

  before(async () => {
    test = await createTestDatabase({ poolSize: 20 });
    issuer = await startTestIssuer();
  });
  after(async () => {
    await issuer.stop();
    await test.drop();
  });
  beforeEach(() => {
    clock = new ManualClock(Date.now());
    authenticate = newProcess();
  });

  /** As another control-plane process has it: with caches of its own. */
  function newProcess(): (token: string) => Promise<Caller> {
    const { issuer: url, audience } = issuer;
    const verifier = createTokenVerifier({
      issuer: url,
      audience,
      clock,
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
    });
    const users = createUsers({ db: test.database, clock, onUserCreated: createPersonalWorkspace });
    return createAuthenticator(verifier, (verified, ask) => users.signIn(verified, ask));
  }
  const rows = (sql: string, params: unknown[] = []) => test.sql(sql, params);
  const userOf = async (subject: string) =>
    (await rows('SELECT * FROM user_account WHERE subject = $1', [subject]))[0]!;

  it('makes its user on Starter, and a personal workspace of which it is Owner', async () => {
    const caller = await authenticate(
      await issuer.token({ sub: 'ann', claims: { email: 'ann@example.com', email_verified: true, name: 'Ann' } }),
    );
    expect(await userOf('ann')).to.deep.include({
      id: caller.userId,
      issuer: issuer.issuer,
      email: 'ann@example.com',
      email_verified: true,
      name: 'Ann',
      plan: 'Starter',
    });
    expect(
      await rows(
        `SELECT w.name, w.is_personal, w.owner_id, m.role, m.status FROM workspace w JOIN workspace_member m ON m.workspace_id = w.id WHERE m.user_id = $1`,
        [caller.userId],
      ),
    ).to.deep.equal([
      { name: "Ann's workspace", is_personal: true, owner_id: caller.userId, role: 'Owner', status: 'active' },
    ]);
  });

  it('makes one user and one workspace, however many requests come first at once, in however many processes', async () => {
    const processes = [authenticate, newProcess(), newProcess()];
    const token = await issuer.token({ sub: 'race' });
    const callers = await Promise.all(Array.from({ length: 30 }, (_, n) => processes[n % 3]!(token)));
    expect(new Set(callers.map(({ userId }) => userId)).size).to.equal(1);
    const [count] = await rows(
      `SELECT count(DISTINCT u.id) AS users, count(DISTINCT w.id) AS workspaces, count(m.id) AS members
       FROM user_account u JOIN workspace w ON w.owner_id = u.id JOIN workspace_member m ON m.workspace_id = w.id WHERE u.subject = 'race'`,
    );
    expect(count).to.deep.equal({ users: 1, workspaces: 1, members: 1 });
  });

  it('is of another user where the issuer is the same and the subject is not', async () => {
    const [one, other] = await Promise.all([
      authenticate(await issuer.token({ sub: 'x' })),
      authenticate(await issuer.token({ sub: 'X' })),
    ]);
    expect(one.userId).to.not.equal(other.userId);
  });

  it('takes email and name from the userinfo endpoint where the token has none', async () => {
    issuer.userinfo.set('bob', { email: 'bob@example.com', email_verified: true, name: 'Bob' });
    await authenticate(await issuer.token({ sub: 'bob' }));
    expect(await userOf('bob')).to.deep.include({ email: 'bob@example.com', email_verified: true, name: 'Bob' });
  });

  it('is enough even without a profile, and a later token can bring one', async () => {
    const first = await authenticate(await issuer.token({ sub: 'carol' }));
    expect(await userOf('carol')).to.deep.include({ email: null, name: null });
    clock.advance(61_000);
    const second = await authenticate(
      await issuer.token({ sub: 'carol', claims: { email: 'carol@example.com', name: 'Carol' }, expiresIn: 3_600 }),
    );
    expect(second.userId).to.equal(first.userId);
    expect(await userOf('carol')).to.deep.include({ email: 'carol@example.com', email_verified: false, name: 'Carol' });
  });

  it('does not ask the userinfo endpoint for a machine client, which is a principal like any other', async () => {
    const before = issuer.requests.get('/userinfo') ?? 0;
    await authenticate(await issuer.token({ sub: 'robot', claims: { client_id: 'robot' } }));
    expect(issuer.requests.get('/userinfo') ?? 0).to.equal(before);
    expect(await userOf('robot')).to.deep.include({ email: null });
  });

  /** A token that was issued so many seconds from now, by somebody whose email the provider has verified. */
  const tokenAt = (sub: string, email: string, seconds: number, verified = true): Promise<string> =>
    issuer.token({
      sub,
      expiresIn: 7_200,
      claims: { email, email_verified: verified, iat: Math.floor(clock.now() / 1_000) + seconds },
    });
  const emailOf = async (sub: string) => (await userOf(sub))['email'];

  it('has an email that a newer verified one replaces at once, in whichever process it is seen', async () => {
    const other = newProcess();
    const old = await tokenAt('dan', 'dan@example.com', -10);
    await authenticate(old);
    await other(old);
    const newer = await tokenAt('dan', 'new@example.com', 0);
    await other(newer);
    expect(await emailOf('dan')).to.equal('new@example.com');
    for (const call of [authenticate, other, newProcess()]) {
      await call(old);
      expect(await emailOf('dan'), 'an older token is still in use').to.equal('new@example.com');
    }
    clock.advance(3_600_000);
    await newProcess()(old);
    expect(await emailOf('dan')).to.equal('new@example.com');
  });

  it('has the newest verified email, however many processes see tokens at once', async () => {
    const processes = [authenticate, newProcess(), newProcess()];
    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tokenAt('eve', `eve-${n}@example.com`, n - 20)),
    );
    await Promise.all(tokens.map((token, n) => processes[n % 3]!(token)));
    expect(await emailOf('eve')).to.equal('eve-11@example.com');
  });

  it('has no verified email replaced by one that is not, and one that is not by either', async () => {
    await authenticate(await tokenAt('fay', 'claimed@example.com', -30, false));
    expect(await userOf('fay')).to.include({ email: 'claimed@example.com', email_verified: false });
    await authenticate(await tokenAt('fay', 'other@example.com', -20, false));
    expect(await userOf('fay')).to.include({ email: 'other@example.com', email_verified: false });
    await authenticate(await tokenAt('fay', 'fay@example.com', -10));
    expect(await userOf('fay')).to.include({ email: 'fay@example.com', email_verified: true });
    await authenticate(await tokenAt('fay', 'victim@example.com', 0, false));
    expect(await userOf('fay')).to.include({ email: 'fay@example.com', email_verified: true });
  });

  it('has the email of userinfo, which is asked once a token and again after ten minutes', async () => {
    const asked = () => issuer.requests.get('/userinfo') ?? 0;
    issuer.userinfo.set('gus', { email: 'gus@example.com', email_verified: true });
    const first = await issuer.token({ sub: 'gus', expiresIn: 7_200 });
    const before = asked();
    for (let call = 0; call < 5; call++) {
      await authenticate(first);
      clock.advance(61_000);
    }
    expect([asked() - before, await emailOf('gus')]).to.deep.equal([1, 'gus@example.com']);
    issuer.userinfo.set('gus', { email: 'new@example.com', email_verified: true });
    await authenticate(await issuer.token({ sub: 'gus', expiresIn: 7_201 }));
    expect(await emailOf('gus'), 'a new token').to.equal('new@example.com');
    issuer.userinfo.set('gus', { email: 'newest@example.com', email_verified: true });
    clock.advance(600_000);
    await authenticate(first);
    expect(await emailOf('gus'), 'a token in use').to.equal('newest@example.com');
  });

  it('is asked for again, with userinfo, after a clock was ahead and is set back', async () => {
    const asked = () => issuer.requests.get('/userinfo') ?? 0;
    issuer.userinfo.set('tia', { email: 'tia@example.com', email_verified: true });
    const token = await issuer.token({ sub: 'tia', expiresIn: 7_200 });
    const { userId } = await authenticate(token);
    const before = asked();
    clock.advance(-600_000);
    await authenticate(token);
    expect(asked() - before).to.equal(1);

    await rows('DELETE FROM workspace WHERE owner_id = $1', [userId]);
    await rows('DELETE FROM user_account WHERE id = $1', [userId]);
    clock.advance(-60_000);
    const again = await authenticate(token);
    expect(again.userId).not.to.equal(userId);
    expect(await userOf('tia')).to.include({ id: again.userId });
  });

  it('has the verified email of userinfo where that of the token is not verified', async () => {
    issuer.userinfo.set('hal', { email: 'hal@example.com', email_verified: true });
    await authenticate(await tokenAt('hal', 'claimed@example.com', 0, false));
    expect(await userOf('hal')).to.include({ email: 'hal@example.com', email_verified: true });
  });

  it('has an email from the first moment, however many requests come first at once', async () => {
    issuer.userinfo.set('ida', { email: 'ida@example.com', email_verified: true });
    const token = await issuer.token({ sub: 'ida' });
    const before = issuer.requests.get('/userinfo') ?? 0;
    const processes = [authenticate, newProcess()];
    await Promise.all(Array.from({ length: 20 }, (_, n) => processes[n % 2]!(token)));
    expect(await userOf('ida')).to.include({ email: 'ida@example.com', email_verified: true });
    expect(issuer.requests.get('/userinfo')! - before).to.be.at.most(2);
  });

  it('makes two users where two principals have the same verified email', async () => {
    const [one, other] = [
      await authenticate(await tokenAt('jo-1', 'jo@example.com', 0)),
      await authenticate(await tokenAt('jo-2', 'jo@example.com', 0)),
    ];
    expect(one.userId).not.to.equal(other.userId);
    await authenticate(await tokenAt('jo-2', 'jo-2@example.com', 1));
    expect([await emailOf('jo-1'), await emailOf('jo-2')]).to.deep.equal(['jo@example.com', 'jo-2@example.com']);
  });

  it('takes claims that no database likes', async () => {
    await authenticate(
      await issuer.token({ sub: 'odd', claims: { email: 'a\0b@example.com', name: `\0${'n'.repeat(500)}` } }),
    );
    expect(await userOf('odd')).to.deep.include({ email: 'ab@example.com', name: 'n'.repeat(200) });
  });
});
