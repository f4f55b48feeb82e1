import { newId } from '@watchpost/shared/id';
import { systemClock } from '@watchpost/shared/clock';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { createAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import {
  dropLeases,
  type Lease,
  recordTakeovers,
  renewProcess,
  stopProcess,
  takeLeases,
} from '@watchpost/control-plane/capabilities/fleet/members/lease-store';
import {
  createRegion,
  readRegion,
  saveMembership,
} from '@watchpost/control-plane/capabilities/fleet/members/region-store';
import { expect } from 'chai';
import { databaseForEach } from '../../support/suite.js';

const REGION = 'northeurope';
const LEASE_MS = 60_000;
const GRACE_MS = 300_000;
const DEPARTURE_MS = 100_000;

describe('the stored leases of agents', () => {
  const test = databaseForEach();
  let here: string;
  let there: string;
  let one: Lease;
  let two: Lease;

  beforeEach(async () => {
    [here, there] = [newId(1), newId(2)];
    const lease = async (name: string): Promise<Lease> => {
      const { agentId } = await createAgent({ db: test.database, clock: systemClock }, { region: REGION, name });
      return { agentId, region: REGION, sessionId: newId(3), capabilities: ['dns', 'http'] };
    };
    [one, two] = [await lease('vm-1'), await lease('vm-2')];
    const members = [one.agentId, two.agentId].toSorted();
    await write((tx) => createRegion(tx, REGION, 1));
    await write((tx) => saveMembership(tx, REGION, { epoch: 5, members, capabilities: {} }, {}));
    for (const process of [here, there]) await write((tx) => renewProcess(tx, process, LEASE_MS));
    await write((tx) => takeLeases(tx, here, [one]));
    await write((tx) => takeLeases(tx, there, [two]));
  });

  const write = (work: (tx: Tx) => Promise<void>) => test.database.transaction(work);
  const facts = (processId = here) =>
    test.database.read((tx) =>
      readRegion(tx, {
        region: REGION,
        processId,
        leaseMs: LEASE_MS,
        departureMs: DEPARTURE_MS,
        graceMs: GRACE_MS,
      }),
    );
  const agent = async ({ agentId }: Lease) => (await facts()).agents.find((row) => row.agentId === agentId)!;
  /** Moves the last signs of life of processes into the past. */
  const silence = (seconds: number, ...processes: string[]) =>
    write(async (tx) => {
      const shift = `make_interval(secs => ${seconds})`;
      await tx.query(
        `UPDATE fleet_process SET seen = seen - ${shift}, live_since = live_since - ${shift} WHERE id = ANY($1::uuid[])`,
        [processes],
      );
    });
  const about = (ms: number) => [ms - 30_000, ms] as const;

  it('are read alike by all processes', async () => {
    for (const process of [here, there]) {
      const { membership, agents, isAlive } = await facts(process);
      expect(membership).to.include({ epoch: 5 });
      expect(membership.members).to.deep.equal([one.agentId, two.agentId].toSorted());
      expect(agents.map(({ isLive, reportedCapabilities }) => ({ isLive, reportedCapabilities }))).to.deep.equal(
        [one, two].map(() => ({ isLive: true, reportedCapabilities: ['dns', 'http'] })),
      );
      expect(isAlive).to.equal(true);
    }
  });

  it('let an agent be awaited for a moment after its stream broke', async () => {
    await write((tx) => dropLeases(tx, [two]));
    const { isLive, awaitedMs } = await agent(two);
    expect(isLive).to.equal(false);
    expect(awaitedMs).to.be.within(...about(DEPARTURE_MS));
  });

  it('let the agents of a dead process be awaited from its last sign of life until the grace period ends', async () => {
    await write(async (tx) => {
      await tx.query(`UPDATE fleet_process SET live_since = live_since - interval '1 day'`);
    });
    await silence(62, there);
    expect((await agent(two)).isLive).to.equal(false);
    expect((await agent(two)).awaitedMs).to.be.within(...about(GRACE_MS - 62_000));
    expect((await agent(one)).isLive).to.equal(true);
    await silence(240, there);
    expect((await agent(two)).awaitedMs).to.be.at.most(0);
  });

  it('let the agents of a stopped process be awaited', async () => {
    await write((tx) => stopProcess(tx, there));
    const { isLive, awaitedMs } = await agent(two);
    expect(isLive).to.equal(false);
    expect(awaitedMs).to.be.within(...about(GRACE_MS));
  });

  it('let all agents be awaited again after a time without a live process', async () => {
    await write((tx) => dropLeases(tx, [two]));
    await write(async (tx) => {
      await tx.query(`UPDATE fleet_lease SET left_at = left_at - interval '10 minutes'`);
    });
    await silence(600, here, there);
    expect((await facts()).isAlive).to.equal(false);
    await write((tx) => renewProcess(tx, here, LEASE_MS));
    expect((await facts()).isAlive).to.equal(true);
    expect((await agent(one)).isLive).to.equal(true);
    expect((await agent(two)).awaitedMs).to.be.within(...about(GRACE_MS));
    expect((await facts(there)).isAlive).to.equal(false);
  });

  it('belong to the newest stream, and ignore changes by an older one', async () => {
    const newer = { ...one, sessionId: newId(4) };
    await write((tx) => recordTakeovers(tx, [{ lease: one, epoch: '5' }]));
    expect((await agent(one)).takenOverEpoch).to.equal(5);
    await write((tx) => takeLeases(tx, there, [newer]));
    expect(await agent(one)).to.include({ sessionId: newer.sessionId, takenOverEpoch: null, isLive: true });
    await write((tx) => dropLeases(tx, [one]));
    await write((tx) => recordTakeovers(tx, [{ lease: one, epoch: '5' }]));
    expect(await agent(one)).to.include({ sessionId: newer.sessionId, takenOverEpoch: null, isLive: true });
  });
});
