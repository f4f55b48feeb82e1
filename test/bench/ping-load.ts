import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One turn: so many POST requests a second to these paths in turn, for so long. */
export interface PingTurn {
  port: number;
  paths: readonly string[];
  perSecond: number;
  seconds: number;
}

export interface PingTurnResult {
  timesMs: number[];
  /** How many were answered with another status than 200, or not at all. */
  failed: number;
}

/** How many requests are sent together; their times are those of a sender that waits for none. */
const TOGETHER = 10;

// A process of its own, so that its work delays neither the bench nor what it measures.
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
process.on('message', (turn: PingTurn) => void run(turn).then((result) => process.send!(result)));
process.once('disconnect', () => process.exit());

async function run({ port, paths, perSecond, seconds }: PingTurn): Promise<PingTurnResult> {
  const timesMs: number[] = [];
  let failed = 0;
  const sent: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    if (index % TOGETHER === 0) {
      const waitMs = startedMs + (index * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
    }
    const path = paths[index % paths.length]!;
    const sentMs = performance.now();
    sent.push(
      post(port, path).then(
        (isFine) => void (isFine ? timesMs.push(performance.now() - sentMs) : failed++),
        () => void failed++,
      ),
    );
  }
  await Promise.all(sent);
  return { timesMs, failed };
}

function post(port: number, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', reject);
    sent.end();
  });
}
