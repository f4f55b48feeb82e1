import { moveClock } from '../../support/fleet/movable-clock.js';
import type { ManagedProcess } from '../../support/managed-process.js';
import type { TcpProxy } from '../../support/tcp-proxy.js';
import { answer } from '../../support/webhook-receiver.js';
import type { PlannedFault } from '../draw/draw-faults.js';
import type { SoakWorld } from '../world/soak-world.js';

/** How long a process may take to end after SIGTERM: that of systemd units and of Kubernetes is longer. */
const STOP_DEADLINE_MS = 180_000;

export interface FaultContext {
  world: SoakWorld;
  /** The processes that are down on purpose, which the supervisor does not start. */
  down: Set<string>;
  /** Something that the product did wrong during the fault. */
  report(what: string): void;
}

/** Begins a fault. @returns ends it */
export async function strike(context: FaultContext, fault: PlannedFault): Promise<() => Promise<void> | void> {
  const { world, down } = context;
  const agent = world.agents.find(({ name }) => name === fault.subject);
  const plane = world.planes.find(({ name }) => name === fault.subject);
  const restart = async (process: () => ManagedProcess, signal: 'SIGKILL' | 'SIGTERM', start: () => unknown) => {
    down.add(fault.subject);
    await end(context, fault, process(), signal);
    return async () => {
      await start();
      down.delete(fault.subject);
    };
  };
  const pause = (process: ManagedProcess) => {
    process.kill('SIGSTOP');
    return () => process.kill('SIGCONT');
  };
  const withWrongClock = (process: ManagedProcess) => {
    moveClock(process);
    return () => moveClock(process);
  };
  switch (fault.kind) {
    case 'agent killed':
      return await restart(
        () => agent!.agent.process,
        'SIGKILL',
        () => agent!.agent.start(),
      );
    case 'agent rolled out':
      return await restart(
        () => agent!.agent.process,
        'SIGTERM',
        () => agent!.agent.start(),
      );
    case 'agent paused':
      return pause(agent!.agent.process);
    case 'agent with a full disk':
      agent!.agent.fillDisk(true);
      return () => {
        if (agent!.agent.process.running) agent!.agent.fillDisk(false);
      };
    case 'agent with a clock 60 s ahead':
      return withWrongClock(agent!.agent.process);
    case 'agent cut off':
    case 'agent delayed':
    case 'agent half-open':
      return disturb([agent!.link], fault);
    case 'control plane killed':
      return await restart(
        () => plane!.plane.process,
        'SIGKILL',
        () => plane!.plane.start(),
      );
    case 'control plane rolled out':
      return await restart(
        () => plane!.plane.process,
        'SIGTERM',
        () => plane!.plane.start(),
      );
    case 'control plane paused':
      return pause(plane!.plane.process);
    case 'control plane with a clock two hours off':
      return withWrongClock(plane!.plane.process);
    case 'database connections cut':
    case 'database connections delayed':
    case 'database connections half-open':
      return disturb(plane!.database, fault);
    case 'Redis connections cut':
    case 'Redis connections delayed':
    case 'Redis connections half-open':
      return disturb([plane!.redis], fault);
    case 'database restarted (fast)':
      await world.pair!.stopPrimary('fast');
      return () => world.pair!.startPrimary();
    case 'database restarted (immediate)':
      await world.pair!.stopPrimary('immediate');
      return () => world.pair!.startPrimary();
    case 'database killed':
      if (world.pair) await world.pair.stopPrimary('kill');
      else await world.database.kill();
      return () => (world.pair ? world.pair.startPrimary() : world.database.start());
    case 'failover from a frozen primary':
    case 'failover from a killed primary':
      return await failOver(world, fault);
    case 'Redis killed':
      await world.redis.kill();
      return () => world.redis.start();
    case 'Redis paused':
      world.redis.freeze();
      return () => world.redis.thaw();
    case 'webhook receiver refusing':
      world.receiver.always(answer(503));
      return () => world.receiver.always(world.takes);
    case 'mail server refusing':
      world.mail.refuseAll({ code: 451, message: 'try again later' });
      return () => world.mail.refuseAll(null);
  }
}

/** Ends a process and waits until it has ended. */
async function end(
  { report }: FaultContext,
  { kind, subject }: PlannedFault,
  process: ManagedProcess,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  process.kill(signal);
  try {
    const { code, signal: by } = await process.ended(STOP_DEADLINE_MS);
    if (signal === 'SIGTERM' && code !== 0) report(`${subject} ended with ${by ?? code} after SIGTERM (${kind})`);
  } catch {
    report(`${subject} (process ${process.pid}) did not end within ${STOP_DEADLINE_MS / 1000} s of SIGTERM (${kind})`);
    process.kill('SIGKILL');
    await process.ended(60_000);
  }
}

function disturb(links: readonly TcpProxy[], { kind, amount }: PlannedFault): () => void {
  for (const link of links) {
    if (kind.endsWith('delayed')) link.delay(amount);
    else if (kind.endsWith('half-open')) link.silence();
    else link.cut();
  }
  return () => {
    for (const link of links) link.restore();
  };
}

/** The standby lacks what was committed in the last `amount` ms. It replaces the primary, and gets a standby of its own. */
async function failOver({ pair }: SoakWorld, { kind, amount, lastsMs }: PlannedFault): Promise<() => Promise<void>> {
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  if (amount > 0) {
    await pair!.cutReplication();
    await sleep(amount);
  }
  if (kind === 'failover from a frozen primary') pair!.freezePrimary();
  else await pair!.stopPrimary('kill');
  await sleep(lastsMs);
  await pair!.promoteStandby();
  return () => pair!.rebuildStandby();
}
