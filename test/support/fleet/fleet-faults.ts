import type { FleetAgent } from './fleet-agent.js';
import type { FleetWorld } from './fleet-world.js';
import { moveClock } from './movable-clock.js';

export interface FleetFault {
  name: string;
  strike(): Promise<void> | void;
  lastsMs: number;
  mend(): Promise<void> | void;
}

export function faultsOf(world: FleetWorld): FleetFault[] {
  const [agent, otherAgent] = world.agentsOf('northeurope') as [FleetAgent, FleetAgent];
  const plane = world.controlPlanes[0]!;
  return [
    {
      name: 'agent kill -9',
      strike: () => agent.process.kill('SIGKILL'),
      // Longer than the time that it catches up with.
      lastsMs: 17_000,
      mend: () => agent.start(),
    },
    {
      name: 'control plane kill -9',
      strike: () => plane.process.kill('SIGKILL'),
      // Longer than it counts as alive.
      lastsMs: 12_000,
      mend: () => plane.start(),
    },
    { name: 'Redis kill -9', strike: () => world.redis.kill(), lastsMs: 10_000, mend: () => world.redis.start() },
    {
      name: 'PostgreSQL kill -9',
      strike: () => world.postgres.kill(),
      lastsMs: 6_000,
      mend: () => world.postgres.start(),
    },
    {
      name: 'agent cut off (SIGSTOP)',
      strike: () => agent.process.kill('SIGSTOP'),
      lastsMs: 22_000,
      mend: () => agent.process.kill('SIGCONT'),
    },
    { name: 'spool disk full', strike: () => agent.fillDisk(true), lastsMs: 12_000, mend: () => agent.fillDisk(false) },
    wrongClock(agent, 'ahead'),
    wrongClock(otherAgent, 'behind'),
  ];
}

function wrongClock(agent: FleetAgent, direction: 'ahead' | 'behind'): FleetFault {
  return {
    name: `clock a minute ${direction}`,
    async strike() {
      agent.process.kill('SIGTERM');
      await agent.process.ended(60_000);
      agent.start(direction === 'ahead' ? 60_000 : -60_000);
    },
    lastsMs: 12_000,
    // The clock is corrected while the agent runs.
    mend: () => moveClock(agent.process),
  };
}
