import type { SoakWorld } from '../world/soak-world.js';

/** A process that ended although nothing ended it. */
export interface UnexpectedEnd {
  process: string;
  atMs: number;
  how: string;
  lastLines: string;
}

const LOOK_MS = 500;
/** As the systemd units of the product have it. */
const RESTART_AFTER_MS = 2_000;

/** Starts processes again that end by themselves, as a service manager does, and notes it. */
export function supervise(world: SoakWorld, down: ReadonlySet<string>): { ends: UnexpectedEnd[]; stop(): void } {
  const ends: UnexpectedEnd[] = [];
  const waiting = new Set<string>();
  const parts = () => [
    ...world.agents.map(({ name, agent }) => ({ name, process: agent.process, start: () => agent.start() })),
    ...world.planes.map(({ name, plane }) => ({ name, process: plane.process, start: () => plane.start() })),
  ];
  const timer = setInterval(() => {
    for (const { name, process, start } of parts()) {
      if (process.running || down.has(name) || waiting.has(name)) continue;
      waiting.add(name);
      void process.ended(5_000).then(({ code, signal }) => {
        const lastLines = process.output().trimEnd().split('\n').slice(-5).join('\n');
        ends.push({ process: name, atMs: Date.now(), how: String(signal ?? code), lastLines });
      });
      setTimeout(() => {
        void Promise.resolve(down.has(name) ? undefined : start())
          .catch(() => {})
          .finally(() => waiting.delete(name));
      }, RESTART_AFTER_MS);
    }
  }, LOOK_MS);
  return { ends, stop: () => clearInterval(timer) };
}
