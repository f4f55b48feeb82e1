import { type Dispatcher, request } from 'undici';

/** For the answer as a whole, redirects included, ms. */
const FETCH_MS = 10_000;
/** The bootstrap registry has 60 KiB. */
const MOST_BYTES = 512 * 1024;
const MOST_REDIRECTS = 5;

export interface BoundedAnswer {
  statusCode: number;
  body: string;
  retryAfter: string | string[] | undefined;
}

/**
 * Gets a URL, bounded in time, size and redirects.
 * @param dispatcher applies the egress policy to every host that is connected to
 * @returns null where there was no whole answer
 */
export async function fetchBounded(url: string, dispatcher: Dispatcher): Promise<BoundedAnswer | null> {
  const signal = AbortSignal.timeout(FETCH_MS);
  try {
    let next = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const { statusCode, headers, body } = await request(next, {
        headers: { accept: 'application/rdap+json, application/json' },
        dispatcher,
        signal,
      });
      // One that is left unread fails, which matters to nobody.
      body.on('error', () => undefined);
      const { location } = headers;
      if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
        body.destroy();
        next = new URL(location, next).href;
        continue;
      }
      const text = await readWhole(body);
      return text === null ? null : { statusCode, body: text, retryAfter: headers['retry-after'] };
    }
    return null;
  } catch {
    return null;
  }
}

async function readWhole(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
