import { createTransport } from 'nodemailer';
import { cleanLine } from '@watchpost/shared/clean-line';
import type { SendOutcome } from './send-outcome.js';
import { ServerBackoff } from './server-backoff.js';

/** A mail that is to be sent; the sender is the operator's `MAIL_FROM`. */
export interface OutgoingMail {
  /** One address. */
  to: string;
  /** Line breaks and control characters are taken out. */
  subject: string;
  text: string;
  /** A whole document, escaped by whoever wrote it. */
  html: string;
  /** The id of the thread that the mail belongs to: an incident, for example. */
  thread?: string;
  /** For `List-Unsubscribe` and `List-Unsubscribe-Post` (RFC 8058). */
  unsubscribeUrl?: string;
  /** Mails of the same key are sent once: a second one changes nothing. */
  once?: string;
}

/** Hands mail over. */
export interface Mailer {
  /** @param id of the mail, the same at every try: its Message-ID is made of it */
  send(id: string, mail: OutgoingMail, nowMs: number): Promise<SendOutcome>;
  /** Of the mail server, where there is one. */
  readonly backoff?: ServerBackoff;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. STARTTLS is used wherever the server has it. */
  smtpUrl: string;
  /** As in a `From` header. */
  from: string;
  /** Message-IDs are of its host, and links in headers lead nowhere else. */
  baseUrl: string;
  /** Longest that the server may be silent, ms. */
  silenceMs?: number;
}

const SILENCE_MS = 10_000;
/** Longest that one mail may take, however often the server says something, ms. */
const TRY_MS = 30_000;

/** Mail by SMTP, one connection a mail: one that hangs holds up no other. */
export function createSmtpMailer({ smtpUrl, from, baseUrl, silenceMs = SILENCE_MS }: SmtpOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    dnsTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { hostname } = new URL(baseUrl);
  const backoff = new ServerBackoff();
  return {
    backoff,
    async send(id, mail, nowMs) {
      const thread = mail.thread === undefined ? undefined : `<incident-${cleanLine(mail.thread, 100)}@${hostname}>`;
      try {
        const sending = transport.sendMail({
          from,
          to: [{ name: '', address: mail.to }],
          subject: cleanLine(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: `<${id}@${hostname}>`,
          date: new Date(nowMs),
          ...(thread === undefined ? {} : { inReplyTo: thread, references: [thread] }),
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeUrl, baseUrl) },
        });
        await withinDeadline(sending);
        backoff.answered();
        return { kind: 'sent', statusCode: 250, answer: 'The mail server took it.' };
      } catch (error) {
        if (isOfServer(error)) {
          const { answer, statusCode } = judgeSmtpError(error);
          return { kind: 'unavailable', statusCode, answer, retryAfterMs: backoff.failed(nowMs) };
        }
        if ((error as SmtpError).responseCode !== undefined) backoff.answered();
        return judgeSmtpError(error);
      }
    },
  };
}

/** RFC 8058, where the link is one of ours and cannot end the header. */
function unsubscribeHeaders(url: string | undefined, baseUrl: string): Record<string, string> {
  if (url === undefined || !url.startsWith(`${baseUrl}/`) || !/^[\x21-\x7e]+$/.test(url) || /[<>]/.test(url)) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** As nodemailer has them. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  /** Of `ETIMEDOUT`; `SOCKET_TIMEOUT` is silence in the middle of a mail. */
  timeoutType?: string;
  syscall?: string;
}

/** Whether no mail at all would have got through: there is no connection, no TLS or no login. */
function isOfServer(error: unknown): boolean {
  const { code, responseCode, timeoutType, syscall } = error as SmtpError;
  if (code === 'EAUTH') return true;
  if (responseCode !== undefined) return false;
  if (code === 'ETIMEDOUT') return timeoutType !== 'SOCKET_TIMEOUT';
  // A connection that is cut later may have been cut for what the mail says.
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

/** RFC 5321 §4.2.1: 4yz passes, 5yz of a recipient or of the content does not. What is wrong with our login may be put right. */
function judgeSmtpError(error: unknown): SendOutcome {
  const { code, responseCode } = error as SmtpError;
  if (responseCode !== undefined) {
    const statusCode = responseCode;
    if (code === 'EAUTH') return { kind: 'failed', statusCode, answer: 'The mail server did not take our login.' };
    if (responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'))
      return { kind: 'rejected', statusCode, answer: `The mail server refused it (${responseCode}).` };
    return { kind: 'failed', statusCode, answer: `The mail server answered ${responseCode}.` };
  }
  if (code === 'ETIMEDOUT')
    return { kind: 'failed', statusCode: null, answer: 'The mail server did not answer in time.' };
  return { kind: 'failed', statusCode: null, answer: `The mail server was not reached${code ? ` (${code})` : ''}.` };
}

/** Where production has no mail server. */
export const noMailer: Mailer = {
  send: () =>
    Promise.resolve({
      kind: 'failed',
      statusCode: null,
      answer: 'This installation has no mail server: its operator sets SMTP_URL.',
    }),
};
