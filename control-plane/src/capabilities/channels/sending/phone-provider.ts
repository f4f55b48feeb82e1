import { createHmac } from 'node:crypto';
import { type Dispatcher } from 'undici';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { isOutcome, postBody } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** Sends SMS and makes calls. Numbers are in E.164. */
export interface PhoneProvider {
  send(to: string, text: string, nowMs: number): Promise<SendOutcome>;
  /** Begins a call. The provider asks at `url` for its text, and reports the end of the call at `statusUrl`. */
  call(to: string, urls: { url: string; statusUrl: string }, nowMs: number): Promise<SendOutcome>;
  /** Whether the provider signed a request that it made to a URL; in constant time. */
  isGenuine(url: string, form: URLSearchParams, signature: string): boolean;
}

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or a messaging service (`MG…`). */
  from: string;
  /** Without a trailing slash. */
  apiUrl: string;
}

/** Permanent errors of Twilio: the number does not exist, cannot be reached by SMS or call, or blocked the sender. */
const PERMANENT_ERRORS = new Set([21211, 21214, 21215, 21216, 21217, 21610, 21612, 21614]);
const RING_SECONDS = 30;
/** However often the sentence is repeated. */
const CALL_SECONDS = 300;

/** Twilio's REST API: `POST /2010-04-01/Accounts/{sid}/Messages.json`, and `…/Calls.json`. */
export function createTwilioProvider(account: TwilioAccount, dispatcher: Dispatcher, tryMs?: number): PhoneProvider {
  const { accountSid, authToken, from, apiUrl } = account;
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  async function post(resource: string, form: [string, string][], what: string, nowMs: number): Promise<SendOutcome> {
    const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${resource}.json`;
    const body = new URLSearchParams(form).toString();
    const given = { url, headers, body, dispatcher, nowMs, ...(tryMs === undefined ? {} : { tryMs }) };
    const answer = await postBody(given);
    if (isOutcome(answer)) return answer;
    const { statusCode } = answer;
    if (statusCode === 200 || statusCode === 201)
      return { kind: 'sent', statusCode, answer: `The ${what} provider accepted it.` };
    const code = errorCode(answer.body);
    const answered = `The ${what} provider answered ${statusCode}${code === null ? '' : ` (error ${code})`}.`;
    if (code !== null && PERMANENT_ERRORS.has(code)) return { kind: 'rejected', statusCode, answer: answered };
    const { retryAfterMs } = answer;
    return { kind: 'failed', statusCode, answer: answered, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  const isService = from.startsWith('MG');
  return {
    send: (to, text, nowMs) =>
      post(
        'Messages',
        [
          ['To', to],
          [isService ? 'MessagingServiceSid' : 'From', from],
          ['Body', text],
        ],
        'SMS',
        nowMs,
      ),
    async call(to, { url, statusUrl }, nowMs) {
      if (isService)
        return {
          kind: 'rejected',
          statusCode: null,
          answer: 'TWILIO_FROM is a messaging service, which makes no calls.',
        };
      const form: [string, string][] = [
        ['To', to],
        ['From', from],
        ['Url', url],
        ['StatusCallback', statusUrl],
        ['Timeout', String(RING_SECONDS)],
        ['TimeLimit', String(CALL_SECONDS)],
      ];
      return post('Calls', form, 'call', nowMs);
    },
    isGenuine: (url, form, signature) => isSameSecret(signature, twilioSignature(authToken, url, form)),
  };
}

/** The signature of Twilio: over the URL and the fields of the form by name, each name before its value. */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const fields = [...form].toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const signed = url + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed).digest('base64');
}

const noProvider = (): Promise<SendOutcome> =>
  Promise.resolve({
    kind: 'rejected',
    statusCode: null,
    answer:
      'This installation has no SMS provider. Its operator must set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
  });

/** The provider of an installation without a Twilio account. */
export const noPhoneProvider: PhoneProvider = { send: noProvider, call: noProvider, isGenuine: () => false };

function errorCode(body: string): number | null {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? code : null;
  } catch {
    return null;
  }
}
