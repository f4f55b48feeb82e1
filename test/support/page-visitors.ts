import { setTimeout as sleep } from 'node:timers/promises';

// A separate process, so that the work of visitors does not slow the measured process down.
interface Visit {
  baseUrl: string;
  slugs: string[];
  visitors: number;
  /** The rate of one visitor. An address may send ten requests a second. */
  pauseMs: number;
}

const answers: Record<string, number> = {};
let bytes = 0;
const leaving = new AbortController();

async function visit({ baseUrl, slugs, pauseMs }: Visit, visitor: number): Promise<void> {
  for (let turn = 0; !leaving.signal.aborted; turn++) {
    const slug = slugs[(visitor + turn * 7) % slugs.length]!;
    const path = turn % 2 === 0 ? `/status/${slug}` : `/api/v1/public/status-page/${slug}`;
    try {
      const answer = await fetch(baseUrl + path, {
        headers: { 'x-forwarded-for': `198.51.100.${visitor + 1}`, accept: turn % 2 === 0 ? 'text/html' : '*/*' },
        signal: AbortSignal.timeout(240_000),
      });
      bytes += (await answer.arrayBuffer()).byteLength;
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    } catch {
      answers['none'] = (answers['none'] ?? 0) + 1;
    }
    await sleep(pauseMs);
  }
}

process.once('message', (given: Visit) => {
  const visits = Promise.all(Array.from({ length: given.visitors }, (_, visitor) => visit(given, visitor)));
  process.once('message', () => {
    leaving.abort();
    void visits.then(() => process.send!({ answers, bytes }, () => process.disconnect()));
  });
});
process.once('disconnect', () => process.exit());
