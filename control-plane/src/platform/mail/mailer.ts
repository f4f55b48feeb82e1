import { createTransport } from 'nodemailer';
import { cleanLine } from '@watchpost/shared/clean-line';
import type { SendOutcome } from './send-outcome.js';
import { ServerBackoff } from './server-backoff.js';

/** A mail to send; the sender is the operator's `MAIL_FROM`. */
export interface OutgoingMail {
  /** One address. */
  to: string;
  /** Line breaks and control characters are removed. */
  subject: string;
  text: string;
  /** An HTML document; the caller has escaped it. */
  html: string;
  /** The id of the thread that the mail belongs to: an incident, for example. */
  thread?: string;
  /** The ids of further threads that it belongs to. */
  otherThreads?: readonly string[];
  /** For `List-Unsubscribe` and `List-Unsubscribe-Post` (RFC 8058). */
  unsubscribeUrl?: string;
  /** Of several mails with the same key only the first is sent. */
  once?: string;
}

export interface Mailer {
  /** @param id of the mail, the same at every attempt: its Message-ID is derived from it */
  send(id: string, mail: OutgoingMail, nowMs: number): Promise<SendOutcome>;
  /** The backoff of the mail server, if there is one. */
  readonly backoff?: ServerBackoff;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. STARTTLS is used if the server supports it. */
  smtpUrl: string;
  /** The value of the `From` header. */
  from: string;
  /** Message-IDs use its host, and links in headers must be under it. */
  baseUrl: string;
  /** The longest time for which the server may be silent, ms. */
  silenceMs?: number;
}

const SILENCE_MS = 10_000;
/** The deadline of one mail, however often the server answers, ms. */
const TRY_MS = 30_000;

/** Sends mail by SMTP with one connection for each mail, so that a hanging one delays no other. */
export function createSmtpMailer({ smtpUrl, from, baseUrl, silenceMs = SILENCE_MS }: SmtpOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    // Longer than the greeting timeout: a server that never greets is unavailable, not silent during a mail.
    socketTimeout: 1.5 * silenceMs,
    dnsTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { hostname } = new URL(baseUrl);
  const backoff = new ServerBackoff();
  return {
    backoff,
    async send(id, mail, nowMs) {
      const threads = mail.thread === undefined ? [] : [mail.thread, ...(mail.otherThreads ?? [])];
      const references = threads.map((thread) => `<incident-${cleanLine(thread, 100)}@${hostname}>`);
      try {
        const sending = transport.sendMail({
          from,
          to: [{ name: '', address: mail.to }],
          subject: cleanLine(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: `<${id}@${hostname}>`,
          date: new Date(nowMs),
          ...(references.length === 0 ? {} : { inReplyTo: references[0]!, references }),
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeUrl, baseUrl) },
        });
        await withinDeadline(sending);
        backoff.answered();
        return { kind: 'sent', statusCode: 250, answer: 'The mail server accepted it.' };
      } catch (error) {
        if (isServerUnavailable(error)) {
          const { answer, statusCode } = judgeSmtpError(error);
          return { kind: 'unavailable', statusCode, answer, retryAfterMs: backoff.failed(nowMs) };
        }
        if ((error as SmtpError).responseCode !== undefined) backoff.answered();
        return judgeSmtpError(error);
      }
    },
  };
}

/** The headers of RFC 8058, if the link is under `baseUrl` and cannot end the header. */
function unsubscribeHeaders(url: string | undefined, baseUrl: string): Record<string, string> {
  if (url === undefined || !url.startsWith(`${baseUrl}/`) || !/^[\x21-\x7e]+$/.test(url) || /[<>]/.test(url)) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  /** Set with `ETIMEDOUT`; `SOCKET_TIMEOUT`: the server became silent during a mail. */
  timeoutType?: string;
  syscall?: string;
}

/** Reports whether no mail at all can be sent: there is no connection, no TLS or no login. */
function isServerUnavailable(error: unknown): boolean {
  const { code, responseCode, timeoutType, syscall } = error as SmtpError;
  if (code === 'EAUTH') return true;
  if (responseCode !== undefined) return false;
  if (code === 'ETIMEDOUT') return timeoutType !== 'SOCKET_TIMEOUT';
  // A connection that is cut later may have been cut because of the content of the mail.
  return code === 'EDNS' || code === 'ETLS' || syscall === 'connect';
}

async function withinDeadline(sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const late = Object.assign(new Error('the mail took too long'), {
      code: 'ETIMEDOUT',
      timeoutType: 'SOCKET_TIMEOUT',
    });
    timer = setTimeout(() => reject(late), TRY_MS);
  });
  try {
    await Promise.race([sending, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * RFC 5321 §4.2.1: a 4yz reply is temporary; a 5yz reply to a recipient or to the content is permanent. A refused login
 * is retried, because the operator can correct it.
 */
function judgeSmtpError(error: unknown): SendOutcome {
  const { code, responseCode } = error as SmtpError;
  if (responseCode !== undefined) {
    const statusCode = responseCode;
    if (code === 'EAUTH')
      return { kind: 'failed', statusCode, answer: "The mail server refused this installation's login." };
    if (responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'))
      return { kind: 'rejected', statusCode, answer: `The mail server refused it (${responseCode}).` };
    return { kind: 'failed', statusCode, answer: `The mail server answered ${responseCode}.` };
  }
  if (code === 'ETIMEDOUT')
    return { kind: 'failed', statusCode: null, answer: 'The mail server did not answer in time.' };
  return { kind: 'failed', statusCode: null, answer: `The mail server was not reached${code ? ` (${code})` : ''}.` };
}

/** The mailer of a production installation without a mail server. */
export const noMailer: Mailer = {
  send: () =>
    Promise.resolve({
      kind: 'failed',
      statusCode: null,
      answer: 'This installation has no mail server. Its operator must set SMTP_URL.',
    }),
};
