import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../bootstrap/index.mjs';
import { LOCAL_NETWORK } from '../bootstrap/local-network.mjs';

/**
 * Starts an agent for each region of `tokens`, beside the home agent that the product starts itself.
 * @param options.envOf variables of a region's agent
 */
export function startAgents({ tokens, controlPlaneUrl, dataDir, envOf }) {
  const agents = Object.entries(tokens).map(([region, token]) => {
    const child = spawn(process.execPath, [join(ROOT, 'agent/dist/main.js')], {
      env: {
        ...LOCAL_NETWORK,
        ...process.env,
        ...envOf(region),
        CONTROL_PLANE_URL: controlPlaneUrl,
        AGENT_TOKEN: token,
        DATA_DIR: join(dataDir, `agent-${region}`),
        METRICS_PORT: '0',
        LOG_LEVEL: 'warn',
      },
      // The ipc channel closes when this process ends, however it ends: the agent then ends too.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  });
  return {
    async stop() {
      for (const { child } of agents) child.kill('SIGTERM');
      await Promise.all(agents.map(({ ended }) => ended));
    },
  };
}
