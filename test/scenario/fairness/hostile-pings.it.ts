import { expect } from 'chai';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { makeWorld, seedHeartbeat, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

const ROUNDS = 30;
/** What one character more than the longest message cuts in half. */
const CUT = `${'a'.repeat(10_239)}🙂`;

describe('pings of one tenant that cannot be stored', function () {
  const app = appForSuite();
  let attacker: World;
  let victim: World;
  /** Each address takes 60 a minute. */
  const paths: string[] = [];
  const tokens = [1, 2, 3].map((number) => `kuma000000000000000000000000000${number}`);
  let sent = 0;
  before(async () => {
    [attacker, victim] = [await makeWorld(app), await makeWorld(app)];
    for (let made = 0; made < 5; made++) paths.push((await seedHeartbeat(victim)).pingPath);
    for (const importedToken of tokens) {
      const heartbeat = { every: 'PT1H', importedToken };
      await seedHeartbeat(attacker, { name: 'Backup', monitorTypes: ['Heartbeat'], heartbeat });
    }
  });

  const send = async (address: string, init: RequestInit = {}): Promise<{ status: number; ms: number }> => {
    const since = performance.now();
    const { status } = await fetch(new URL(address, app.baseUrl), init);
    return { status, ms: performance.now() - since };
  };
  const push = (message: string) =>
    send(`/api/push/${tokens[sent++ % tokens.length]}?status=down&msg=${encodeURIComponent(message)}`);
  const ping = () => send(paths[sent++ % paths.length]!);
  const failed = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status !== 200).length;
  /** Pings of the victim, each beside one of the attacker. */
  async function beside(attack: () => Promise<unknown>): Promise<{ status: number; ms: number }[]> {
    const answers: { status: number; ms: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [own] = await Promise.all([ping(), attack()]);
      answers.push(own);
    }
    return answers;
  }

  it('are stored where their text was cut, and fail no ping of another', async () => {
    const before = failed(await beside(() => Promise.resolve()));
    const statuses: number[] = [];
    const during = await beside(async () => statuses.push((await push(CUT)).status));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(failed(during)).to.equal(0);
    printFairnessFigure({
      attack: 16,
      measure: `pings of another that fail, of ${ROUNDS}`,
      before,
      during: failed(during),
      limit: '0',
    });
  });

  it('fail alone whatever is wrong with them, in one line of the log each', async () => {
    await app.sql("ALTER TABLE ping ADD CONSTRAINT refused CHECK (body IS DISTINCT FROM 'refused') NOT VALID");
    try {
      const logged = app.warnings.length;
      const statuses: number[] = [];
      const during = await beside(async () => statuses.push((await push('refused')).status));
      expect(new Set(statuses)).to.deep.equal(new Set([500]));
      expect(failed(during)).to.equal(0);
      const lines = app.warnings.slice(logged).filter(({ msg }) => msg === 'a ping could not be stored');
      expect(lines).to.have.length(ROUNDS);
      for (const line of lines) expect(JSON.stringify(line).length).to.be.below(1_000);
    } finally {
      await app.sql('ALTER TABLE ping DROP CONSTRAINT refused');
    }
  });

  it('are set aside while their rows are locked, for which no ping of another waits', async () => {
    const { median: alone } = timesOf(await beside(() => Promise.resolve()));
    let locked: Promise<{ status: number; ms: number }>;
    const during = await app.db.transaction(async (tx) => {
      await tx.query(
        `SELECT FROM monitor_state JOIN monitor ON monitor.key = monitor_state.monitor_key
         WHERE monitor.workspace_id = $1 FOR UPDATE OF monitor_state`,
        [attacker.workspaceId],
      );
      locked = push('locked');
      const answers: { status: number; ms: number }[] = [];
      // The lock ends with them, long before the ping that waits for it is given up after ten seconds.
      for (let round = 0; round < 8; round++) answers.push(await ping());
      return answers;
    });
    expect(failed(during)).to.equal(0);
    printFairnessFigure({
      attack: 17,
      measure: 'a ping of another while rows are locked, ms',
      before: alone,
      during: timesOf(during).worst,
      limit: 'before the lock ends',
    });
    expect(await locked!, 'it is stored when the lock ends').to.have.property('status', 200);
  });
});

function timesOf(answers: readonly { ms: number }[]): { median: number; worst: number } {
  const sorted = answers.map(({ ms }) => Math.round(ms)).toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, worst: sorted.at(-1)! };
}
