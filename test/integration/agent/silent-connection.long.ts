import { AgentHome } from '../../support/agent-process.js';
import { eventually } from '../../support/eventually.js';
import { ScriptedControlPlane } from '../../support/scripted-control-plane.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

describe('an agent whose connection is accepted and never answered', function () {
  this.timeout(600_000);
  const plane = new ScriptedControlPlane();
  let cable: TcpProxy;
  let home: AgentHome;

  before(async () => {
    await plane.start();
    cable = await startTcpProxy(plane.port);
    home = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${cable.port}` });
  });
  after(async () => {
    await home.dispose();
    await cable.stop();
    plane.stop();
  });

  it('opens another connection to its only address, and is connected again', async () => {
    cable.silence();
    const agent = home.start();
    await eventually('it has a connection', () => cable.connections > 0 || undefined, 120_000, 20);
    // The connection that it has stays silent; a new one works.
    cable.restore();
    await eventually('it is connected', () => plane.hellos.length > 0 || undefined, 240_000);
    await eventually(
      'it reports that',
      async () => ((await (await home.ask(agent, '/health')).json()) as { connected: boolean }).connected || undefined,
      120_000,
    );
  });
});
