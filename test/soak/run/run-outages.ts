import type { PlannedOutage } from '../draw/draw-outages.js';
import type { Outage } from '../judge/observation.js';
import type { SoakWorld } from '../world/soak-world.js';

const LOOK_MS = 250;

/** Lets targets fail as planned. @returns what was done until now, and how to end it, with all targets well */
export function runOutages(
  world: SoakWorld,
  planned: readonly PlannedOutage[],
): { done: Outage[]; stop(): Promise<void> } {
  const startMs = Date.now();
  const done: Outage[] = [];
  let open = new Map<PlannedOutage, Outage>();
  let isChanging = false;
  const apply = async (now: readonly PlannedOutage[]): Promise<void> => {
    isChanging = true;
    await world.targets.setOutages(now);
    const atMs = Date.now();
    for (const [plan, outage] of open) if (!now.includes(plan)) outage.toMs = atMs;
    const next = new Map<PlannedOutage, Outage>();
    for (const plan of now) {
      const outage = open.get(plan) ?? { subject: plan.subject, mode: plan.mode, fromMs: atMs, toMs: Infinity };
      if (!open.has(plan)) done.push(outage);
      next.set(plan, outage);
    }
    open = next;
    isChanging = false;
  };
  const timer = setInterval(() => {
    const ms = Date.now() - startMs;
    const now = planned.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
    if (!isChanging && (now.length !== open.size || now.some((plan) => !open.has(plan)))) void apply(now);
  }, LOOK_MS);
  return {
    done,
    async stop() {
      clearInterval(timer);
      await apply([]);
    },
  };
}
