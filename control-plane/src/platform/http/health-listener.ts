import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HealthReport } from './http-options.js';
import { sharedCheck } from './shell-routes.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers while the process starts: it runs, and serves nothing yet. */
export function answerWhileStarting(version: string): Listener {
  return (request, response) => {
    if (pathOf(request) === '/health/live') return answer(response, 200, { status: 'ok', version });
    const body = { error: 'unavailable', message: 'Watchpost is starting: try again in a second.' };
    answer(response, 503, body, { 'Retry-After': '1' });
  };
}

/** Answers for a process without the role `api`: its health, and nothing else. */
export function answerHealthOnly(version: string, check: () => Promise<HealthReport>): Listener {
  const shared = sharedCheck(check);
  return (request, response) => {
    const path = pathOf(request);
    if (path === '/health/live') return answer(response, 200, { status: 'ok', version });
    if (path !== '/health' && path !== '/health/ready')
      return answer(response, 404, { error: 'not_found', message: 'This process does not have the role "api".' });
    void shared().then(({ status, checks }) =>
      answer(response, status === 'unavailable' ? 503 : 200, { status, version, checks }),
    );
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0]!;
}

function answer(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}
