import { ListeningAgent } from './listening-agent.js';

/** An order to a process of many agents: connect, count the checks of each agent, or watch for a change. */
export type FleetOrder =
  | { kind: 'connect'; port: number; tokens: readonly string[] }
  | { kind: 'count' }
  | { kind: 'watch'; monitorKey: number; url: string };

export type FleetAnswer =
  | { kind: 'counts'; checks: readonly number[] }
  /** One of the agents received the watched change. `atMs` is the machine's clock, ms since the epoch. */
  | { kind: 'arrived'; url: string; atMs: number };

const agents: ListeningAgent[] = [];
const awaited = new Map<number, string>();
const sendAnswer = (answer: FleetAnswer): void => void process.send!(answer);

function onCheck(monitorKey: number, url: string): void {
  if (awaited.get(monitorKey) === url)
    sendAnswer({ kind: 'arrived', url, atMs: performance.timeOrigin + performance.now() });
}

process.on('message', (order: FleetOrder) => {
  if (order.kind === 'connect')
    for (const token of order.tokens) agents.push(new ListeningAgent(order.port, token, onCheck));
  else if (order.kind === 'watch') awaited.set(order.monitorKey, order.url);
  else sendAnswer({ kind: 'counts', checks: agents.map(({ checks }) => checks.size) });
});
process.once('disconnect', () => process.exit());
