import type { ApiResponse } from './product.js';

const DEADLINE_MS = 30_000;

/** One request; a body that is text or bytes is sent unchanged, anything else as JSON. */
export async function callApi(
  url: string,
  method: string,
  body: unknown,
  given: Record<string, string>,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...given },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}
