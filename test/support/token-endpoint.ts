import type { Behaviour } from './target-server.js';
import { startTarget, type Target } from './target-server.js';

export interface TokenEndpoint extends Target {
  /** `http://127.0.0.1:PORT/token` */
  tokenUrl: string;
  /** The next answers; by default a token of its own for each request, for an hour. */
  answerWith(answer: { status?: number; body?: unknown }): void;
  /** The tokens that were given, the newest last. */
  given: string[];
}

/** A token endpoint on loopback for the client `robot` with the secret `client-geheim`. */
export async function startTokenEndpoint(name = 'token'): Promise<TokenEndpoint> {
  const given: string[] = [];
  let next: { status?: number; body?: unknown } = {};
  const behaviour: Behaviour = ({ request, socket }) => {
    const token = `${name}-geheim-${given.length + 1}`;
    const isOwn = request.headers.authorization === `Basic ${Buffer.from('robot:client-geheim').toString('base64')}`;
    const usual = isOwn
      ? { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3_600 } }
      : { status: 401, body: { error: 'invalid_client' } };
    const { status, body } = { ...usual, ...next };
    if (isOwn && next.body === undefined) given.push(token);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  };
  const target = await startTarget({ behaviour });
  return Object.assign(target, {
    tokenUrl: `${target.url}/token`,
    given,
    answerWith: (answer: typeof next) => void (next = answer),
  });
}
