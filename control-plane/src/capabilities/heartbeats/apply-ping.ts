import type { HeartbeatState, Ping } from './heartbeat.js';

/** More runs at the same time are not followed. */
const MOST_RUNS = 20;

/**
 * The state after a ping, and for the end of a run how long it took. The end belongs to the start with the same `rid`, or
 * without one; a repeated start begins the run anew.
 */
export function applyPing(before: HeartbeatState, ping: Ping): { state: HeartbeatState; runtimeMs: number | null } {
  const { kind, rid } = ping;
  // Processes that receive pings of one job at once may disagree by some ms.
  const atMs = Math.max(ping.atMs, before.lastPingMs ?? 0);
  const state = { ...before, lastPingMs: atMs };
  if (kind === 'log') return { state, runtimeMs: null };
  if (kind === 'start') {
    const others = before.runs.filter((run) => run.rid !== rid);
    const runs = [...others, { rid, startedMs: atMs }].slice(-MOST_RUNS);
    return { state: { ...state, runs, dueFromMs: before.dueFromMs ?? atMs }, runtimeMs: null };
  }
  const ended = before.runs.find((run) => run.rid === rid);
  const runtimeMs = ended ? atMs - ended.startedMs : null;
  const runs = before.runs.filter((run) => run !== ended);
  if (kind === 'success')
    return { state: { ...state, runs, dueFromMs: atMs, succeededMs: atMs, failure: null }, runtimeMs };
  const { exitCode, body } = ping;
  const failure = before.failure ?? ({ kind: 'reported', atMs, exitCode, rid, runtimeMs, body } as const);
  return { state: { ...state, runs, dueFromMs: atMs, failure }, runtimeMs };
}
