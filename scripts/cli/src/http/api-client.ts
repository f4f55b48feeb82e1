import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@watchpost/shared/backoff';
import { CommandError } from '../command/command-error.js';
import { apiError, CHECK_ADDRESS } from './api-error.js';
import { ConnectionError } from './connection-error.js';
import { type HttpAnswer, sendRequest } from './send-request.js';

const DEADLINE_MS = 30_000;
const ATTEMPTS = 3;
const BACKOFF = { initialMs: 300, maxMs: 2_000, factor: 3 };
/** A longer `Retry-After` is left to the caller. */
const LONGEST_WAIT_SECONDS = 5;
/** Statuses that a later attempt may change. */
const PASSING = new Set([429, 502, 503, 504]);
const PAGE_SIZE = 200;
/** Of a header field (RFC 9110 §5.5): what `fetch` refuses it quotes in its error. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Who calls. */
export interface Credential {
  readonly isApiKey: boolean;
  /** The token for the next request, renewed where it is about to expire. */
  token(): Promise<string>;
  /** After a refusal of the token: whether there is another one now. */
  renew(): Promise<boolean>;
}

/** A token that is never renewed. */
export function heldToken(token: string, isApiKey = false): Credential {
  return { isApiKey, token: () => Promise.resolve(token), renew: () => Promise.resolve(false) };
}

export interface ApiClientOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  /** Undefined: every request is anonymous. */
  credential: Credential | undefined;
  /** Sent as `X-Workspace-Id`. */
  workspaceId?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Listed<Item> {
  items: Item[];
  total: number;
}

interface Call {
  method: string;
  path: string;
  query?: Query | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  deadlineMs?: number;
  /**
   * What happens after an attempt that may have arrived. `free`: it is repeated, as it changes nothing. `keyed`: it is repeated with
   * the same `Idempotency-Key`, so that it is carried out once. `never`: the command ends with the error.
   */
  repeat: 'free' | 'keyed' | 'never';
}

/** REST of one installation, as one caller, in one workspace. */
export class ApiClient {
  constructor(readonly options: ApiClientOptions) {}

  /** The same caller in another workspace. */
  in(workspaceId: string): ApiClient {
    return new ApiClient({ ...this.options, workspaceId });
  }

  /** @param field one that the answer has: without it, something else than Watchpost has answered */
  async get<T extends object>(path: string, field: keyof T & string, query?: Query): Promise<T> {
    return this.#parse(await this.call({ method: 'GET', path, query, repeat: 'free' }), field) as T;
  }

  async getText(path: string, query: Query, accept: string): Promise<string> {
    return (await this.call({ method: 'GET', path, query, headers: { accept }, repeat: 'free' })).text;
  }

  /** All pages of a list, up to `limit` items. */
  async list<T extends { id: string }>(path: string, query: Query, limit: number): Promise<Listed<T>> {
    const items: T[] = [];
    for (let page = 1; ; page++) {
      const pageSize = Math.min(PAGE_SIZE, limit);
      const answer = await this.call({ method: 'GET', path, query: { ...query, page, pageSize }, repeat: 'free' });
      const found = this.#parse(answer, 'length') as T[];
      if (!Array.isArray(found) || !found.every((item) => hasField(item, 'id'))) throw this.#foreignAnswer();
      items.push(...found);
      const total = Number(answer.headers.get('x-total-count') ?? items.length);
      if (found.length < pageSize || items.length >= Math.min(limit, total))
        return { items: items.slice(0, limit), total };
    }
  }

  /** @param field as in `get` */
  async send<T extends object>(
    method: string,
    path: string,
    body: unknown,
    field: keyof T & string,
    options: Pick<Call, 'repeat' | 'deadlineMs'>,
  ): Promise<T> {
    return this.#parse(await this.call({ method, path, body, ...options }), field) as T;
  }

  /** @throws ApiError, ConnectionError */
  async call(call: Call): Promise<HttpAnswer> {
    const key = call.repeat === 'keyed' ? randomUUID() : undefined;
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt === ATTEMPTS - 1;
      let waitMs = backoffMs(attempt, Math.random(), BACKOFF);
      try {
        const answer = await this.#attempt(call, key);
        if (answer.status < 400) return answer;
        const error = apiError(answer, this.options.baseUrl, this.options.credential?.isApiKey ?? false);
        const retryAfter = Number(answer.headers.get('retry-after') ?? 0);
        const isWorth = PASSING.has(answer.status) && retryAfter <= LONGEST_WAIT_SECONDS && call.repeat !== 'never';
        if (isLast || !isWorth) throw error;
        waitMs = Math.max(waitMs, retryAfter * 1_000);
        mayHaveArrived ||= answer.status >= 500;
      } catch (error) {
        if (error instanceof CommandError) error.followsLostAnswer = mayHaveArrived;
        if (!(error instanceof ConnectionError) || isLast || !error.isPassing) throw error;
        if (error.mayHaveArrived && call.repeat === 'never') throw error;
        mayHaveArrived ||= error.mayHaveArrived;
      }
      await sleep(waitMs);
    }
  }

  async #attempt(call: Call, key: string | undefined): Promise<HttpAnswer> {
    const { credential } = this.options;
    const answer = await this.#exchange(call, key, await credential?.token());
    if (answer.status !== 401 || !credential || !(await credential.renew())) return answer;
    return this.#exchange(call, key, await credential.token());
  }

  #exchange(call: Call, key: string | undefined, token: string | undefined): Promise<HttpAnswer> {
    const { baseUrl, workspaceId } = this.options;
    if (token !== undefined && !TOKEN.test(token)) throw unusableToken(this.options.credential?.isApiKey ?? false);
    const url = new URL(baseUrl + call.path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value === undefined) continue;
      for (const each of Array.isArray(value) ? (value as string[]) : [value])
        url.searchParams.append(name, String(each));
    }
    return sendRequest({
      method: call.method,
      url,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...call.headers,
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      deadlineMs: call.deadlineMs ?? DEADLINE_MS,
    });
  }

  #parse({ text }: HttpAnswer, field: string): unknown {
    try {
      const body: unknown = JSON.parse(text);
      if (hasField(body, field)) return body;
    } catch {
      // Not JSON.
    }
    throw this.#foreignAnswer();
  }

  #foreignAnswer(): CommandError {
    return new CommandError(`${this.options.baseUrl} answered with nothing that Watchpost answers.`, {
      code: 'foreign_answer',
      nextStep: CHECK_ADDRESS,
    });
  }
}

function hasField(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field);
}

function unusableToken(isApiKey: boolean): CommandError {
  return new CommandError(
    isApiKey ? 'WATCHPOST_API_KEY has characters that no key has.' : 'The token that is kept is damaged.',
    {
      code: 'invalid_token',
      nextStep: isApiKey
        ? 'Copy the key again, without quotation marks and line breaks.'
        : 'Sign in with `watchpost login`.',
    },
  );
}
