import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { createAuthenticator } from '@watchpost/control-plane/identity/authenticator';
import type { Caller } from '@watchpost/control-plane/identity/caller';
import { createTokenVerifier } from '@watchpost/control-plane/identity/token-verifier';
import { createUsers } from '@watchpost/control-plane/users/index';
import { createPersonalWorkspace } from '@watchpost/control-plane/workspaces/index';
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
  const rows = (sql: string, params: unknown[] = []) => test.database.read((tx) => tx.query(sql, params));
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

  it('is enough even where nobody says who it is, and a later one can say it', async () => {
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

  it('keeps the email that is known, whatever a later token says', async () => {
    await authenticate(await issuer.token({ sub: 'dan', claims: { email: 'dan@example.com' } }));
    clock.advance(61_000);
    await authenticate(
      await issuer.token({
        sub: 'dan',
        claims: { email: 'other@example.com', email_verified: true },
        expiresIn: 3_600,
      }),
    );
    expect(await userOf('dan')).to.deep.include({ email: 'dan@example.com', email_verified: false });
  });

  it('takes claims that no database likes', async () => {
    await authenticate(
      await issuer.token({ sub: 'odd', claims: { email: 'a\0b@example.com', name: `\0${'n'.repeat(500)}` } }),
    );
    expect(await userOf('odd')).to.deep.include({ email: 'ab@example.com', name: 'n'.repeat(200) });
  });
});
