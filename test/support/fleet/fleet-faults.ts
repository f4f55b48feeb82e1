import type { FleetWorld } from './fleet-world.js';

/** A failure, its duration and its repair. */
export interface FleetFault {
  name: string;
  strike(): Promise<void> | void;
  lastsMs: number;
  mend(): Promise<void> | void;
}

/** All failures, one after the other. The second round hits other parts than the first, and moves the clock the other way. */
export function faultsOf(world: FleetWorld, round: 0 | 1): FleetFault[] {
  const agent = world.agentsOf('northeurope')[round]!;
  const plane = world.controlPlanes[round]!;
  const offMs = round === 0 ? 60_000 : -60_000;
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
    {
      name: `clock a minute ${offMs > 0 ? 'ahead' : 'behind'}`,
      async strike() {
        agent.process.kill('SIGTERM');
        await agent.process.ended(15_000);
        agent.start(offMs);
      },
      lastsMs: 12_000,
      // The clock is corrected while the agent runs.
      mend: () => agent.process.kill('SIGUSR2'),
    },
  ];
}
