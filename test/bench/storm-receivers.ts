import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceiverPlaces {
  hooks: readonly string[];
  smtpPort: number;
}

/** A webhook as it arrived. `atMs`: ms since the epoch. */
export interface HookCall {
  hook: number;
  id: string;
  type: string;
  monitorId: string;
  incidentId: string;
  /** When the incident began or ended, by the message. */
  sinceMs: number;
  atMs: number;
}

export interface MailCall {
  id: string;
  to: string;
  atMs: number;
}

/** After `answer`, so many further webhooks are answered, and no others; before it, all. */
export type ReceiverOrder = { kind: 'open'; hooks: number } | { kind: 'report' } | { kind: 'answer'; most: number };
export interface ReceiverReport {
  hooks: HookCall[];
  mails: MailCall[];
}

interface HookBody {
  type: string;
  data: { monitor: { id: string }; incident: { id: string; started: string; ended: string | null } };
}

/** The receivers of a storm, a separate process: webhooks, each on a port of its own, and a mail server. */
let hooks: HookCall[] = [];
let mails: MailCall[] = [];
let answersLeft = Number.MAX_SAFE_INTEGER;
const now = (): number => performance.timeOrigin + performance.now();

process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'open') return void open(order.hooks).then((places) => process.send!(places));
  if (order.kind === 'answer') return void (answersLeft = order.most);
  process.send!({ hooks, mails } satisfies ReceiverReport);
  hooks = [];
  mails = [];
});
process.once('disconnect', () => process.exit());

async function open(count: number): Promise<ReceiverPlaces> {
  const places = await Promise.all(Array.from({ length: count }, (_, hook) => openHook(hook)));
  return { hooks: places, smtpPort: await openMail() };
}

async function openHook(hook: number): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const atMs = now();
      if (answersLeft-- > 0) response.writeHead(204).end();
      const { type, data } = JSON.parse(Buffer.concat(parts).toString('utf8')) as HookBody;
      const { started, ended } = data.incident;
      const sinceMs = Date.parse(type === 'incident.opened' ? started : (ended ?? started));
      const id = String(request.headers['webhook-id']);
      hooks.push({ hook, id, type, monitorId: data.monitor.id, incidentId: data.incident.id, sinceMs, atMs });
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openMail(): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (part: Buffer) => (text += part.toString('latin1')));
      stream.on('end', () => {
        const id = /^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? '';
        mails.push({ id, to: session.envelope.rcptTo[0]?.address ?? '', atMs: now() });
        callback();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.server.address() as AddressInfo).port;
}
