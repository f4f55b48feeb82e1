import { type Dispatcher } from 'undici';
import { isOutcome, postBody } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** Sends SMS. */
export interface SmsProvider {
  /** @param to E.164 */
  send(to: string, text: string, nowMs: number): Promise<SendOutcome>;
}

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or a messaging service (`MG…`). */
  from: string;
  /** Without a trailing slash. */
  apiUrl: string;
}

/** Permanent errors of Twilio: the number does not exist, cannot receive SMS, or blocked the sender. */
const PERMANENT_ERRORS = new Set([21211, 21214, 21217, 21610, 21612, 21614]);

/** Twilio's REST API: `POST /2010-04-01/Accounts/{sid}/Messages.json`. */
export function createTwilioProvider(account: TwilioAccount, dispatcher: Dispatcher, tryMs?: number): SmsProvider {
  const { accountSid, authToken, from, apiUrl } = account;
  const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  return {
    async send(to, text, nowMs) {
      const sender: [string, string] = from.startsWith('MG') ? ['MessagingServiceSid', from] : ['From', from];
      const body = new URLSearchParams([['To', to], sender, ['Body', text]]).toString();
      const given = { url, headers, body, dispatcher, nowMs, ...(tryMs === undefined ? {} : { tryMs }) };
      const answer = await postBody(given);
      if (isOutcome(answer)) return answer;
      const { statusCode } = answer;
      if (statusCode === 200 || statusCode === 201)
        return { kind: 'sent', statusCode, answer: 'The SMS provider accepted it.' };
      const code = errorCode(answer.body);
      const answered = `The SMS provider answered ${statusCode}${code === null ? '' : ` (error ${code})`}.`;
      if (code !== null && PERMANENT_ERRORS.has(code)) return { kind: 'rejected', statusCode, answer: answered };
      const { retryAfterMs } = answer;
      return { kind: 'failed', statusCode, answer: answered, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    },
  };
}

/** The provider of an installation without a Twilio account. */
export const noSmsProvider: SmsProvider = {
  send: () =>
    Promise.resolve({
      kind: 'rejected',
      statusCode: null,
      answer:
        'This installation has no SMS provider. Its operator must set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
    }),
};

function errorCode(body: string): number | null {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? code : null;
  } catch {
    return null;
  }
}
