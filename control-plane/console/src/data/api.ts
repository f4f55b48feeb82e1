import { ApiFault, faultOfAnswer } from './api-fault.js';
import { followServerTime, nowMs } from './clock.js';
import { noteHeard, noteLost, waitsUntilMs } from './connection.js';
import { queryText, type Query } from './address.js';
import { sessionEnded, workspaceId } from './session.js';

const DEADLINE_MS = 30_000;
/** Waits that the server asks for and that are longer are shown as a fault. */
const LONGEST_WAIT_SECONDS = 60;
const MOST_TRIES = 4;

/** How often the person did something, and how often of that the server knows. */
let [inputs, reported] = [0, 0];
for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => inputs++, true);

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** The `etag` of what was read: the change is refused with `precondition_failed` if somebody else made one since. */
  ifMatch?: string | null;
  signal?: AbortSignal;
  /** The current one, unless another is named. */
  workspace?: string;
  /** 30,000 ms, unless the request is known to take longer. */
  deadlineMs?: number;
}

export interface Answer<T> {
  body: T;
  etag: string | null;
  /** Of a list: how many there are on all pages. */
  total: number | null;
  /** When it arrived, ms since the epoch. */
  receivedMs: number;
}

/**
 * Calls the API with the session of the user. Where the server asks to wait (429, 503), it waits, shows that, and tries
 * again; a repeated POST has one idempotency key, so that it takes effect once.
 * @throws ApiFault for an answer that is not 2xx, a lost connection and a passed deadline
 * @throws DOMException `AbortError` when `signal` is aborted
 */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const key = method === 'POST' ? crypto.randomUUID() : undefined;
  for (let tries = 1; ; tries++) {
    const answer = await send(method, path, options, key);
    if (answer.ok) return readAnswer<T>(answer);
    const fault = await faultOfAnswer(answer);
    if (fault.status === 401) sessionEnded.value = true;
    const waits = fault.status === 429 || fault.status === 503;
    const seconds = fault.retryAfterSeconds ?? 2 ** tries;
    if (!waits || tries >= MOST_TRIES || seconds > LONGEST_WAIT_SECONDS) throw fault;
    await waitFor(seconds * 1_000, options.signal);
  }
}

async function send(method: Method, path: string, options: RequestOptions, key?: string): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  const workspace = options.workspace ?? workspaceId.peek();
  if (workspace !== '') headers.set('X-Workspace-Id', workspace);
  if (options.body !== undefined) {
    headers.set('Content-Type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  }
  if (options.ifMatch) headers.set('If-Match', options.ifMatch);
  if (key !== undefined) headers.set('Idempotency-Key', key);
  const known = inputs;
  // What an event or a timer causes must not keep a forgotten page signed in.
  if (method === 'GET' && known === reported) headers.set('X-Watchpost-Background', '1');
  const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  try {
    const answer = await fetch(`${path}${queryText(options.query)}`, {
      method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]),
      credentials: 'same-origin',
    });
    reported = Math.max(reported, known);
    noteHeard('requests');
    followServerTime(answer.headers.get('Date'));
    return answer;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    noteLost('requests');
    const outcome = method === 'GET' ? '' : ' It is not known whether the change was made: look before you repeat it.';
    if (deadline.aborted) throw new ApiFault(0, 'timeout', `The server did not answer in time.${outcome}`);
    throw new ApiFault(0, 'connection_lost', `The connection to Watchpost is lost.${outcome}`);
  }
}

async function readAnswer<T>(answer: Response): Promise<Answer<T>> {
  const total = answer.headers.get('X-Total-Count');
  const text = await answer.text();
  const isJson = (answer.headers.get('Content-Type') ?? '').includes('json');
  return {
    body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
    etag: answer.headers.get('ETag'),
    total: total === null ? null : Number(total),
    receivedMs: nowMs(),
  };
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  waitsUntilMs.value = Math.max(waitsUntilMs.peek(), nowMs() + ms);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new DOMException('The request is no longer needed.', 'AbortError'));
      },
      { once: true },
    );
  });
}
