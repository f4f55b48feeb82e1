import { type Dispatcher, request } from 'undici';

const FETCH_MS = 10_000;
const MOST_REDIRECTS = 5;

export interface FetchBounds {
  accept: string;
  mostBytes: number;
  /** For the answer as a whole, redirects included; default 10 s. */
  withinMs?: number;
}

/** A whole answer, or why there was none, as the end of a sentence. */
export type BoundedAnswer =
  | { statusCode: number; body: string; retryAfter: string | string[] | undefined }
  | { statusCode: null; why: string };

/**
 * Gets a URL, bounded in time, size and redirects. Never fails.
 * @param dispatcher applies the egress policy to every host that is connected to
 */
export async function fetchBounded(
  url: string,
  dispatcher: Dispatcher,
  { accept, mostBytes, withinMs = FETCH_MS }: FetchBounds,
): Promise<BoundedAnswer> {
  const signal = AbortSignal.timeout(withinMs);
  try {
    let next = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { statusCode, headers, body } = await request(next, { headers: { accept }, dispatcher, signal });
      // One that is left unread fails, which matters to nobody.
      body.on('error', () => undefined);
      const { location } = headers;
      if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
        body.destroy();
        const place = new URL(location, next);
        // What came over TLS is not continued without it.
        if (place.protocol !== 'https:' && next.startsWith('https:'))
          return { statusCode: null, why: 'it redirects from https:// to another protocol' };
        next = place.href;
        continue;
      }
      const text = await readWhole(body, mostBytes);
      if (text === null) return { statusCode: null, why: `it has more than ${mostBytes / 1024} KiB` };
      return { statusCode, body: text, retryAfter: headers['retry-after'] };
    }
    return { statusCode: null, why: `it redirects more than ${MOST_REDIRECTS} times` };
  } catch (error) {
    return { statusCode: null, why: reasonOf(error, signal.aborted, withinMs) };
  }
}

function reasonOf(error: unknown, isLate: boolean, withinMs: number): string {
  if (isLate) return `there was no whole answer within ${withinMs / 1000} s`;
  if (error instanceof Error && error.name === 'EgressRefused') return "it is refused by this service's egress policy";
  return 'the server could not be reached';
}

async function readWhole(body: Dispatcher.ResponseData['body'], mostBytes: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
