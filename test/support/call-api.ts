import type { ApiResponse } from './product.js';

/** Longer than any request takes on a machine with twenty times its work, and shorter than a test may take. */
const DEADLINE_MS = 100_000;

/**
 * One request; a body that is text or bytes is sent unchanged, anything else as JSON. Of an event stream, which has no
 * end, only the beginning is read.
 */
export async function callApi(
  url: string,
  method: string,
  body: unknown,
  given: Record<string, string>,
  deadlineMs = DEADLINE_MS,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...given },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? await readBeginning(response) : await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}

async function readBeginning({ body }: Response): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}
