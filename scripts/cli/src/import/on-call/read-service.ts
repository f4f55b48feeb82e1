import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@watchpost/shared/backoff';
import { MIB } from '@watchpost/shared/document-limits';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { CommandError } from '../../command/command-error.js';
import { ConnectionError } from '../../http/connection-error.js';
import { type HttpAnswer, sendRequest } from '../../http/send-request.js';
import { isRow, type Row } from '../rows.js';
import type { GetPage } from './source.js';

const REQUEST_DEADLINE_MS = 30 * SECOND_MS;
/** The time of all requests of an import, waiting for turns included. */
const DEADLINE_MS = 15 * MINUTE_MS;
const MOST_REQUESTS = 5_000;
const MOST_PAGES = 500;
/** All answers together may be as large as a file. */
const MOST_MIB = 64;
/** Attempts at a request whose service fails or cannot be reached. Refusals for too many requests are waited for until the deadline. */
const ATTEMPTS = 4;
const BACKOFF = { initialMs: 500, maxMs: 30 * SECOND_MS, factor: 2 };

export interface Service {
  name: string;
  /** Without a slash at the end. */
  url: string;
  authorization: string;
}

/** Makes the function that reads from the API of another product. @throws CommandError */
export function serviceReader({ name, url, authorization }: Service, nowMs: () => number): GetPage {
  const deadlineMs = nowMs() + DEADLINE_MS;
  let [requests, bytes] = [0, 0];
  return async (path, query = {}) => {
    const target = new URL(url + path);
    for (const [field, value] of Object.entries(query)) target.searchParams.set(field, String(value));
    if (++requests > MOST_REQUESTS) throw unreadable(`${name} needs more than ${MOST_REQUESTS} requests.`);
    const late = () => unreadable(`${name} was not read within ${DEADLINE_MS / MINUTE_MS} minutes.`);
    for (let attempt = 0; ; attempt++) {
      const leftMs = deadlineMs - nowMs();
      if (leftMs <= 0) throw late();
      const waitMs = backoffMs(attempt, Math.random(), BACKOFF);
      const answer = await sendRequest({
        method: 'GET',
        url: target,
        headers: { accept: 'application/json', authorization },
        deadlineMs: Math.min(REQUEST_DEADLINE_MS, leftMs),
      }).catch((error: unknown) => {
        if (error instanceof ConnectionError && error.isPassing && attempt < ATTEMPTS - 1) return null;
        throw error;
      });
      bytes += answer?.text.length ?? 0;
      if (bytes > MOST_MIB * MIB) throw unreadable(`${name} answered with more than ${MOST_MIB} MiB in all.`);
      if (answer && answer.status < 300) return bodyOf(answer, name, path);
      const isBusy = answer?.status === 429;
      if (answer && !isBusy && (answer.status < 500 || attempt >= ATTEMPTS - 1)) throw refusal(answer, name, path);
      const askedMs = Number(answer?.headers.get('retry-after') ?? 0) * SECOND_MS || 0;
      const nextMs = Math.max(waitMs, askedMs);
      if (nowMs() + nextMs > deadlineMs) throw late();
      await sleep(nextMs);
    }
  };
}

/**
 * All items of a list that comes in pages.
 * @param read gets the number of the page, from 0, and how many items were read before
 */
export async function readPages(
  read: (page: number, before: number) => Promise<{ items: readonly Row[]; isLast: boolean }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, isLast } = await read(page, all.length);
    for (const item of items) all.push(item);
    if (isLast || items.length === 0) return all;
  }
  throw unreadable(`A list has more than ${MOST_PAGES} pages.`);
}

function bodyOf({ text }: HttpAnswer, name: string, path: string): Row {
  try {
    const body: unknown = JSON.parse(text);
    if (isRow(body)) return body;
  } catch {
    // Not JSON.
  }
  throw unreadable(`${name} answered ${path} with something else than a JSON object: look at the address.`);
}

function refusal({ status }: HttpAnswer, name: string, path: string): CommandError {
  return status === 401 || status === 403
    ? new CommandError(`${name} refuses the key at ${path} (status ${status}).`, {
        code: 'refused_key',
        nextStep: 'Use a key that may read the configuration of the whole account.',
      })
    : unreadable(`${name} answered ${path} with status ${status}.`);
}

const unreadable = (message: string): CommandError => new CommandError(message, { code: 'unreadable_service' });
