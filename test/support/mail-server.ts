import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** By lower-case name, unfolded. */
  headers: Readonly<Record<string, string>>;
  /** As it was sent, headers and all. */
  raw: string;
  /** Whether it came over TLS, and as whom. */
  secure: boolean;
  user: string | null;
}

/** A mail server that accepts everything unless a test sets otherwise. */
export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** The answers to the next recipients, in order, such as `550 no such mailbox`. */
  refuse(...answers: { code: number; message: string }[]): void;
  /** Answers all recipients so from now on, and null: accepts them again. */
  refuseAll(answer: { code: number; message: string } | null): void;
  /** Accepts a mail whose content has arrived; a test may do so later. */
  answer: (accept: () => void) => void;
  stop(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refusals: { code: number; message: string }[] = [];
  let always: { code: number; message: string } | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS', 'AUTH'],
    logger: false,
    ...options,
    onRcptTo(_address, _session, callback) {
      const refusal = refusals.shift() ?? always;
      callback(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null);
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('utf8');
        mails.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          headers: headersOf(raw),
          raw,
          secure: session.secure,
          user: session.user ?? null,
        });
        running.answer(callback);
      });
    },
  });
  server.on('error', () => {});
  const running: MailServer = {
    get port() {
      return (server.server.address() as AddressInfo).port;
    },
    mails,
    refuse: (...answers) => void refusals.push(...answers),
    refuseAll: (answer) => void (always = answer),
    answer: (accept) => accept(),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return running;
}

function headersOf(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
