import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import {
  lockWorkspaceEntitlements,
  requireWithinLimit,
  setPlan,
  workspaceEntitlements,
} from '@watchpost/control-plane/capabilities/plans/index';
import { createUsers } from '@watchpost/control-plane/capabilities/users/index';
import { createPersonalWorkspace } from '@watchpost/control-plane/capabilities/workspaces/index';
import { setPlanCommand } from '@watchpost/control-plane/app/admin/set-plan-command';
import { databaseForSuite } from '../../support/suite.js';

const start = Date.parse('2026-11-21T12:00:00.000Z');

describe('The plan of an account', () => {
  const test = databaseForSuite({ poolSize: 20 });
  const clock = new ManualClock(start);
  let userId: string;
  let workspaceId: string;

  beforeEach(async () => {
    await test.sql('TRUNCATE user_account CASCADE');
    userId = await makeUser('Ann@example.com');
    workspaceId = await test.value<string>('SELECT id FROM workspace WHERE owner_id = $1', [userId]);
  });

  async function makeUser(email: string | null, emailVerified = email !== null): Promise<string> {
    const users = createUsers({ db: test.database, clock, onUserCreated: createPersonalWorkspace });
    const profile = { email, emailVerified, name: null };
    const principal = { issuer: 'https://issuer.example', subject: newId(start), clientId: null, profile };
    return (await users.signIn(principal, () => Promise.resolve(null))).userId;
  }
  const admin = (...args: string[]) => setPlanCommand.run({ db: test.database, clock }, args);
  async function refusal(...args: string[]): Promise<string> {
    try {
      await admin(...args);
    } catch (error) {
      if (error instanceof Fault) return error.message;
      throw error;
    }
    throw new Error('not refused');
  }
  const entitlements = () => test.database.read((tx) => workspaceEntitlements(tx, workspaceId));

  it('is Starter, and holds in its workspaces', async () => {
    expect(await entitlements()).to.deep.include({ plan: 'Starter' });
  });

  it('is what the operator sets, with limits of its own', async () => {
    expect(
      await admin(
        '--user',
        'ann@EXAMPLE.com',
        '--plan',
        'enterprise',
        '--limit',
        'monitors=300',
        '--limit',
        'smsGroups=unlimited',
      ),
    ).to.deep.equal([
      'Ann@example.com is on Enterprise: monitors=300 extraRegions=7 emailGroups=50 slackGroups=50 msTeamsGroups=50 smsGroups=unlimited webhookGroups=50 otherGroups=50 teams=unlimited privateLocations=20',
    ]);
    const { plan, limits } = await entitlements();
    expect([plan, limits.monitors, limits.smsGroups, limits.webhookGroups]).to.deep.equal([
      'Enterprise',
      300,
      null,
      50,
    ]);
    const [json] = await admin('--user', 'ann@example.com', '--plan=Pro', '--json');
    expect(JSON.parse(json!)).to.deep.include({ userId, account: 'Ann@example.com', plan: 'Pro' });
    expect((await entitlements()).limits.monitors).to.equal(100);
  });

  it('keeps its own limits when the operator sets the same plan again, but for those that are named', async () => {
    const set = (plan: string, ...limits: string[]) =>
      admin('--user', 'ann@example.com', '--plan', plan, ...limits.flatMap((limit) => ['--limit', limit]));
    const own = async () => {
      const { limits } = await entitlements();
      return [limits.monitors, limits.smsGroups, limits.teams];
    };
    await set('Pro');
    const [monitors, smsGroups, teams] = await own();
    await set('Pro', 'monitors=300', 'smsGroups=7');
    await set('pro', 'teams=unlimited', 'smsGroups=8');
    expect(await own()).to.deep.equal([300, 8, null]);
    await set('Pro');
    expect(await own()).to.deep.equal([300, 8, null]);
    await set('Pro', 'smsGroups=plan');
    expect(await own()).to.deep.equal([300, smsGroups, null]);
    await set('Growth');
    await set('Pro');
    expect(await own(), 'after another plan').to.deep.equal([monitors, smsGroups, teams]);
  });

  it('notifies its listeners in the same transaction', async () => {
    const notified: string[] = [];
    const failing = {
      db: test.database,
      clock,
      planListeners: [
        async (_tx: unknown, id: string) => void notified.push(id),
        () => Promise.reject(new Error('no')),
      ],
    };
    const failure = await setPlan(failing, { user: 'ann@example.com', plan: 'Pro' }).catch(
      (error: Error) => error.message,
    );
    expect([failure, notified]).to.deep.equal(['no', [userId]]);
    expect((await entitlements()).plan).to.equal('Starter');
  });

  it('is not changed by a command with a mistake, which is named', async () => {
    await makeUser('twice@example.com');
    await makeUser('Twice@example.com');
    expect(await refusal('--user', 'who@example.com', '--plan', 'Pro')).to.include(
      'No account has the email who@example.com',
    );
    expect(await refusal('--user', 'twice@example.com', '--plan', 'Pro')).to.include('2 accounts have the email');
    expect(await refusal('--user', 'ann@example.com', '--plan', 'Gold')).to.include('Starter, Growth, Pro, Enterprise');
    expect(await refusal('--user', 'ann@example.com', '--plan', 'Pro', '--limit', 'monitor=3')).to.include(
      'monitors, extraRegions',
    );
    expect(await refusal('--user', 'ann@example.com', '--plan', 'Pro', '--limit', 'monitors=-3')).to.include('KEY=N');
    expect(await refusal('--user', 'ann@example.com')).to.include('usage: set-plan');
    expect(await refusal('--usr', 'ann@example.com')).to.include('--usr');
    expect((await entitlements()).plan).to.equal('Starter');
  });

  it('is set by the id of an account, which may have no email', async () => {
    const nameless = await makeUser(null);
    expect((await admin('--user', nameless, '--plan', 'Pro'))[0]).to.match(new RegExp(`^${nameless} is on Pro: `));
    const nobody = newId(start);
    expect(await refusal('--user', nobody, '--plan', 'Pro')).to.equal(`No account has the id ${nobody}.`);
  });

  it('is that of the account which has verified the email, also where others claim it', async () => {
    for (let index = 0; index < 2; index++) await makeUser('ANN@example.com', false);
    await admin('--user', 'ann@example.com', '--plan', 'Pro');
    expect((await entitlements()).plan).to.equal('Pro');
  });

  it('is set by id where no account or several have verified the email, and the refusal lists them', async () => {
    const [one, two] = [await makeUser('claimed@example.com', false), await makeUser('claimed@example.com', false)];
    const message = await refusal('--user', 'claimed@example.com', '--plan', 'Pro');
    expect(message).to.include('2 accounts have the email claimed@example.com');
    for (const id of [one, two]) expect(message).to.include(`${id}  not verified  https://issuer.example`);
    expect((await admin('--user', two, '--plan', 'Pro'))[0]).to.match(/^claimed@example\.com is on Pro: /);
  });

  it("is not overrun by requests at once, whichever of the owner's workspaces they are for", async () => {
    await admin('--user', 'ann@example.com', '--plan', 'Starter', '--limit', 'monitors=3');
    const second = newId(start);
    await test.sql(
      `INSERT INTO workspace (id, name, owner_id, created, last_modified) VALUES ($1, 'Second', $2, now(), now())`,
      [second, userId],
    );
    await test.sql('CREATE TABLE counted (owner_id uuid)');
    const add = (id: string) =>
      test.database.transaction(async (tx) => {
        const limits = await lockWorkspaceEntitlements(tx, id);
        const [row] = await tx.query<{ total: number }>('SELECT count(*) AS total FROM counted WHERE owner_id = $1', [
          limits.ownerId,
        ]);
        requireWithinLimit(limits, 'monitors', row!.total + 1);
        await tx.query('INSERT INTO counted VALUES ($1)', [limits.ownerId]);
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => add(n % 2 ? workspaceId : second)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect((outcome.reason as Fault).code).to.equal('plan_limit_exceeded');
  });
});
