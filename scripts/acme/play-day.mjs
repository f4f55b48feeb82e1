import { recordHeartbeats, recordHello } from '@watchpost/control-plane/capabilities/fleet/agents/agent-store';
import { VERSION } from '@watchpost/shared/build';
import { kindsOf, resultOf, scheduledTimes } from './outcomes.mjs';
import { faultAt, FAULTS, isSilent, SILENCES } from './story.mjs';

const MINUTE_MS = 60_000;
/** Between two steps in calm hours, and while something happens: then people are paged in time. */
const CALM_MINUTES = 60;
const BUSY_MINUTES = 5;
/** What happens shows until this long after its end. */
const AFTERMATH_MINUTES = 15;
/** The last of the day in small steps, so that it ends with fresh results. */
const LAST_MINUTES = 20;

/**
 * Plays the day before `endMs`: moves the clock, takes in what the agents of each region would have reported, and lets
 * paging, deliveries and mail go on as they do.
 * @param actions what people do: `[minute before the end, function]`, the earliest first
 */
export async function playDay({ plane, clock, db }, { agents, monitors, startMinute, endMs, actions }) {
  const tasks = plane.periodicTasks;
  const settle = async () => {
    for (const task of tasks) await task.run();
    await plane.delivery.runDue();
  };
  const pending = [...actions];
  let before = startMinute;
  for (const { agent } of agents) await db.transaction((tx) => recordHello(tx, agent.agentId, VERSION, clock.now()));
  for (const minute of stepsOf(startMinute, pending)) {
    clock.set(endMs - minute * MINUTE_MS);
    for (const { agent, region } of agents) {
      const results = resultsBetween({ monitors, region, endMs }, before, minute);
      if (results.length > 0) await plane.resultSink.ingest(agent, results);
    }
    await db.transaction((tx) => recordHeartbeats(tx, heartbeatsOf({ agents, monitors, minute, nowMs: clock.now() })));
    await settle();
    for (; pending.length > 0 && pending[0][0] >= minute; pending.shift()) {
      await pending[0][1]();
      await settle();
    }
    before = minute;
  }
}

function heartbeatsOf({ agents, monitors, minute, nowMs }) {
  return agents
    .filter(({ region }) => !isSilent(region, minute))
    .map(({ agent, region }) => ({
      agentId: agent.agentId,
      receivedAtMs: nowMs,
      checks: monitors.filter(({ regions }) => regions.includes(region)).length,
      spoolDepth: 0,
      lagP99Us: 1_200,
      visibility: 'seeing',
    }));
}

function stepsOf(startMinute, actions) {
  const steps = new Set(actions.map(([minute]) => minute));
  for (let minute = startMinute - CALM_MINUTES; minute >= 0; minute -= CALM_MINUTES) steps.add(minute);
  for (const { from, until, outcome } of FAULTS) {
    if (outcome === undefined) continue;
    const last = Math.max(until - AFTERMATH_MINUTES, 0);
    for (let minute = from; minute > Math.max(from - 3 * BUSY_MINUTES, last); minute -= BUSY_MINUTES) steps.add(minute);
    for (let minute = until + BUSY_MINUTES; minute > last; minute -= BUSY_MINUTES) if (minute >= 0) steps.add(minute);
  }
  for (const { from, until } of SILENCES) for (const minute of [from, from - 15, until, until - 10]) steps.add(minute);
  for (let minute = LAST_MINUTES; minute >= 0; minute -= 2) steps.add(minute);
  return [...steps].toSorted((a, b) => b - a);
}

function resultsBetween({ monitors, region, endMs }, fromMinute, untilMinute) {
  const results = [];
  for (const monitor of monitors) {
    if (!monitor.regions.includes(region)) continue;
    for (const kind of kindsOf(monitor)) {
      const [afterMs, untilMs] = [endMs - fromMinute * MINUTE_MS, endMs - untilMinute * MINUTE_MS];
      for (const atMs of scheduledTimes(monitor, kind, region, afterMs, untilMs)) {
        const minute = (endMs - atMs) / MINUTE_MS;
        if (isSilent(region, minute)) continue;
        results.push(resultOf(monitor, kind, region, atMs, faultAt(monitor.name, region, minute)));
      }
    }
  }
  return results;
}
