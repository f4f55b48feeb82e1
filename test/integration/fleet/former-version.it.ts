import { expect } from 'chai';
import { CHECK_KINDS, type CheckKind } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { FleetService } from './fleet-service.js';
import { WireAgent } from './wire-agent.js';

const FORMER = ['http'];
const PRESENT = CHECK_KINDS;
const MONITORS = 40;
const each = (count: number) => Object.fromEntries(PRESENT.map((kind) => [kind, count])) as Record<CheckKind, number>;

describe('agents of the former version and of this one', function () {
  let service: FleetService;
  const ingested: CheckResult[] = [];
  const agents: WireAgent[] = [];
  beforeEach(async () => {
    service = await FleetService.start({ ingest: async (results) => void ingested.push(...results) });
    await service.checks.add(MONITORS, ['northeurope'], PRESENT);
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.disconnect();
    await service.stop();
  });

  const tokenOf = async (name: string) => (await service.agent(name)).token;
  const connect = (version: 'former' | 'present', token: string, capabilities: readonly string[]) => {
    const agent = new WireAgent(service.port, version, token, capabilities).connect();
    agents.push(agent);
    return agent;
  };

  it('work side by side, and each check is assigned to an agent that can run it', async () => {
    const former = connect('former', await tokenOf('vm-1'), FORMER);
    await former.has({ ...each(0), http: MONITORS });
    const present = connect('present', await tokenOf('vm-2'), PRESENT);
    const { http: _shared, ...others } = each(MONITORS);
    await present.has(others);
    await eventually(
      'each HTTP check with one of them',
      () => former.count('http') + present.count('http') === MONITORS || undefined,
      PATIENCE_MS,
      5,
    );
    expect(former.count('http')).to.be.within(1, MONITORS - 1);
    expect(former.checks.size).to.equal(former.count('http'));
    await former.report([1, 2, 3]);
    expect(ingested.map(({ key, detail }) => [key.kind, detail])).to.deep.equal(
      Array.from({ length: 3 }, () => ['http', undefined]),
    );
  });

  it('continue with all checks that the former version can run when the new one leaves', async () => {
    const present = connect('present', await tokenOf('vm-2'), PRESENT);
    await present.has({ http: MONITORS, ssl: MONITORS });
    const former = connect('former', await tokenOf('vm-1'), FORMER);
    await eventually('a share of it', () => former.count('http') > 0 || undefined, PATIENCE_MS, 5);
    present.disconnect();
    await former.has({ ...each(0), http: MONITORS });
  });

  it('gain kinds of checks by an upgrade, and lose them by a downgrade', async () => {
    const token = await tokenOf('vm-1');
    const before = connect('former', token, FORMER);
    await before.has({ http: MONITORS });
    before.disconnect();
    const after = connect('present', token, PRESENT);
    await after.has(each(MONITORS));
    after.disconnect();
    const again = connect('former', token, FORMER);
    await again.has({ ...each(0), http: MONITORS });
  });
});
