import { get, type IncomingMessage } from 'node:http';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';

export interface ReceivedEvent {
  event: string;
  data: { id?: string; version?: number };
  /** When it arrived, by the monotonic clock. */
  atMs: number;
}

/** A client of an event stream that keeps everything it receives. */
export interface EventClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[];
  /** As a browser would send it when it connects again. */
  readonly lastId: string;
  readonly text: string;
  readonly isOver: boolean;
  /** The events that are about this object. */
  of(id: string): ReceivedEvent[];
  received(what: string, test: (event: ReceivedEvent) => boolean, timeoutMs?: number): Promise<ReceivedEvent>;
  ended(timeoutMs: number): Promise<void>;
  cut(): void;
}

/** Opens a stream, and waits until it has a point from which it misses nothing. */
export async function openEvents(
  baseUrl: string,
  options: { token: string; workspaceId?: string; lastId?: string },
): Promise<EventClient> {
  const request = get(`${baseUrl}/api/v1/events`, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${options.token}`,
      ...(options.workspaceId === undefined ? {} : { 'x-workspace-id': options.workspaceId }),
      ...(options.lastId === undefined ? {} : { 'last-event-id': options.lastId }),
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const events: ReceivedEvent[] = [];
  let [text, rest, lastId, isOver] = ['', '', options.lastId ?? '', false];
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0]!, line.replace(/^\w*: ?/, '')]));
      lastId = fields.get('id') ?? lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      events.push({
        event: fields.get('event')!,
        data: JSON.parse(data) as ReceivedEvent['data'],
        atMs: performance.now(),
      });
    }
  });
  const end = () => (isOver = true);
  for (const event of ['end', 'close', 'error']) response.on(event, end);
  request.on('error', end);
  const client: EventClient = {
    status: response.statusCode!,
    headers: response.headers,
    events,
    get lastId() {
      return lastId;
    },
    get text() {
      return text;
    },
    get isOver() {
      return isOver;
    },
    of: (id) => events.filter(({ data }) => data.id === id),
    received: (what, test, timeoutMs = PATIENCE_MS) => eventually(what, () => events.find(test), timeoutMs, 5),
    ended: (timeoutMs) => eventually('the stream has ended', () => isOver || undefined, timeoutMs, 20).then(() => {}),
    cut: () => request.destroy(),
  };
  if (client.status === 200 && options.lastId === undefined) {
    await eventually('the stream has begun', () => (lastId === '' ? undefined : true), PATIENCE_MS, 5);
  }
  return client;
}
