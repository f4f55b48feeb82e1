const DEADLINE_MS = 10_000;

/** Calls REST with a token: `api('POST', '/api/v1/monitor', {…})` returns the body, or throws the error of the answer. */
export function createApi(baseUrl, token) {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
}
