import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { httpCheck, ScriptedControlPlane } from '../../support/scripted-control-plane.js';

/** Far longer than any step of these tests, and than the agent takes to stop. */
const NEVER_MS = 600_000;
/** The agent stops within this time, whatever the control plane does. */
const STOP_MS = 25_000;

describe('an agent that is stopped', () => {
  let plane: ScriptedControlPlane;
  let home: AgentHome;
  let target: Server;
  let hits = 0;

  beforeEach(async () => {
    target = createServer((_, response) => {
      hits++;
      response.end('fine');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    plane = new ScriptedControlPlane();
    await plane.start();
    plane.checks = [httpCheck(1, `http://127.0.0.1:${(target.address() as AddressInfo).port}/`, { intervalMs: 200 })];
    home = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}` });
  });
  afterEach(async () => {
    await home.dispose();
    plane.stop();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  async function startChecking() {
    const agent = home.start();
    await eventually('results', () => (plane.received.length > 0 ? true : undefined), PATIENCE_MS, 20);
    return agent;
  }
  const leaving = () => eventually('it leaves', () => (plane.leavings > 0 ? true : undefined), PATIENCE_MS, 5);

  it('goes on checking until its checks have moved, and then stops', async () => {
    plane.leaveWithinMs = NEVER_MS;
    const agent = await startChecking();
    agent.kill('SIGTERM');
    await leaving();
    const before = hits;
    await eventually('it goes on', () => (hits > before + 3 ? true : undefined), PATIENCE_MS, 5);
    plane.change([], plane.checks);
    plane.send({ $case: 'drain', value: { reason: 'The agent leaves.' } });
    expect((await agent.ended(STOP_MS)).code).to.equal(0);
    expect([plane.hellos.length, plane.leavings], 'it does not come back').to.deep.equal([1, 1]);
    expect(agent.output()).to.match(/"spoolDepth":0,"msg":"agent ended"/);
  });

  it('stops although its control plane dies while it leaves', async () => {
    plane.leaveWithinMs = NEVER_MS;
    const agent = await startChecking();
    agent.kill('SIGTERM');
    await leaving();
    plane.stop();
    expect((await agent.ended(STOP_MS)).code).to.equal(0);
  });

  it('stops although its control plane does not answer', async () => {
    plane.leaveWithinMs = 300;
    const agent = await startChecking();
    agent.kill('SIGTERM');
    await leaving();
    expect((await agent.ended(STOP_MS)).code).to.equal(0);
  });

  it('stops at once where its control plane has died, or does not know leaving', async () => {
    for (const dies of [true, false]) {
      const agent = await startChecking();
      if (dies) plane.stop();
      agent.kill('SIGTERM');
      expect((await agent.ended(STOP_MS)).code).to.equal(0);
      expect(plane.leavings).to.equal(0);
      if (dies) await plane.start();
      plane.received.length = 0;
    }
  });
});
