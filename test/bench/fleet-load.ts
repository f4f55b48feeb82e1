import { ListeningAgent } from './listening-agent.js';

/** What a process of many agents is told: to connect, to say what they have, or of a change to look out for. */
export type FleetOrder =
  | { kind: 'connect'; port: number; tokens: readonly string[] }
  | { kind: 'count' }
  | { kind: 'watch'; monitorKey: number; url: string };

export type FleetAnswer =
  | { kind: 'counts'; checks: readonly number[] }
  /** One of the agents has it, by the machine's clock. */
  | { kind: 'arrived'; url: string; atMs: number };

const agents: ListeningAgent[] = [];
const awaited = new Map<number, string>();
const answer = (said: FleetAnswer): void => void process.send!(said);

function onCheck(monitorKey: number, url: string): void {
  if (awaited.get(monitorKey) === url)
    answer({ kind: 'arrived', url, atMs: performance.timeOrigin + performance.now() });
}

process.on('message', (order: FleetOrder) => {
  if (order.kind === 'connect')
    for (const token of order.tokens) agents.push(new ListeningAgent(order.port, token, onCheck));
  else if (order.kind === 'watch') awaited.set(order.monitorKey, order.url);
  else answer({ kind: 'counts', checks: agents.map(({ checks }) => checks.size) });
});
process.once('disconnect', () => process.exit());
