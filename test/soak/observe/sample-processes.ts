import { readdirSync, readFileSync } from 'node:fs';
import type { QueueSample, Sample } from '../judge/observation.js';
import type { SoakWorld } from '../world/soak-world.js';

/** What the kernel reports about the product's processes, and how long its queues are. */
export interface Samples {
  processes: Sample[];
  queues: QueueSample[];
}

/** Takes one sample of each process that runs, and of each queue that can be read now. */
export async function takeSample(world: SoakWorld, into: Samples): Promise<void> {
  const atMs = Date.now();
  const processes = [
    ...world.agents.map(({ name, agent }) => ({ name, process: agent.process })),
    ...world.planes.map(({ name, plane }) => ({ name, process: plane.process })),
  ];
  for (const { name, process } of processes) {
    const one = process.running ? readProcess(process.pid) : undefined;
    if (one) into.processes.push({ process: name, pid: process.pid, atMs, ...one });
  }
  const add = (queue: string, length: number) => into.queues.push({ queue, atMs, length });
  for (const { name, agent } of world.agents) {
    const health = await agent.health().catch(() => undefined);
    if (health) add(`spool of ${name}`, health.spoolDepth);
  }
  const rows = await world.client
    .sql<{ events: number; deliveries: number; jobs: number }>(
      `SELECT (SELECT count(*)::int FROM alert_event WHERE NOT fanned_out) AS events,
         (SELECT count(*)::int FROM delivery WHERE state = 'waiting') AS deliveries,
         (SELECT count(*)::int FROM jobs.jobs WHERE run_at < now()) AS jobs`,
    )
    .catch(() => []);
  for (const { events, deliveries, jobs } of rows) {
    add('alert events', events);
    add('deliveries', deliveries);
    add('jobs', jobs);
  }
}

function readProcess(pid: number): { rssBytes: number; handles: number } | undefined {
  try {
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return rss === undefined
      ? undefined
      : { rssBytes: Number(rss) * 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return undefined;
  }
}
