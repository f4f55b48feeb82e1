import { effect } from '@preact/signals';
import { faultOfAnswer } from './api-fault.js';
import { connectionState, eventStream, noteHeard, noteLost } from './connection.js';
import { isEventKind } from './decide-stale.js';
import { createEventParser, type StreamEvent } from './parse-event-stream.js';
import { applyEvent, LIVE_REFRESH_MS, POLL_MS, refreshAll } from './resources.js';
import { first, sessionEnded, workspaceId } from './session.js';

/** The server sends something every 15 s. */
const SILENCE_MS = 40_000;
const RECONNECT_MS = [500, 1_000, 2_000, 5_000, 10_000, 15_000] as const;
/** For how long a tab that holds the stream keeps events for tabs that are being opened. */
const RECENT_MS = 10_000;
/** A hidden tab gives its stream back after this time: a user has ten. */
const HIDDEN_MS = 60_000;

/** What the tab that holds the stream passes on to the other tabs of the browser. */
interface Heard {
  state: typeof eventStream.value;
  events: readonly StreamEvent[];
  /** From which the stream can be resumed. */
  id: string | undefined;
}

/** The part of this tab in the stream of a workspace; undefined while it takes none. */
interface Part {
  /** To the other tabs with this workspace. */
  channel: BroadcastChannel;
  /** Aborted when the part ends. */
  ending: AbortController;
  /** It holds the stream. */
  leads: boolean;
  /** What it has passed on lately. */
  recent: { atMs: number; events: readonly StreamEvent[] }[];
}

let part: Part | undefined;
let stream: AbortController | undefined;
let lastEventId: string | undefined;
/** Of the first document, until its workspace has been joined. */
let firstEventId = first?.eventId;
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;
let quiet: ReturnType<typeof setTimeout> | undefined;

/**
 * Follows the events of the current workspace, and reads what is shown again by time while there are none. The tabs of a
 * browser share one stream for each workspace: over HTTP/1.1 it has six connections to a server.
 */
export function startEvents(): void {
  effect(() => {
    const isOver = sessionEnded.value;
    // Read, so that another workspace has this run again.
    const workspace = workspaceId.value;
    leave();
    if (isOver) eventStream.value = 'polling';
    else {
      if (workspace === first?.workspaceId) lastEventId = firstEventId;
      firstEventId = undefined;
      join(workspace);
    }
  });
  setInterval(() => {
    const ageMs = connectionState.peek() === 'live' ? LIVE_REFRESH_MS : POLL_MS - 1_000;
    if (document.visibilityState === 'visible') refreshAll(ageMs);
  }, POLL_MS / 3);
  addEventListener('online', reconnectNow);
  addEventListener('offline', () => noteLost('requests'));
  document.addEventListener('visibilitychange', followVisibility);
}

/** Tries at once, for a user who does not want to wait. */
export function reconnectNow(): void {
  failures = 0;
  if (part?.leads) connect();
  refreshAll();
}

/** Waits for the turn to hold the stream, and listens to the tab that does. The lock passes on when that one is closed. */
function join(workspace: string): void {
  const name = `watchpost events ${first?.user.id} ${workspace}`;
  const own: Part = { channel: new BroadcastChannel(name), ending: new AbortController(), leads: false, recent: [] };
  const { signal } = own.ending;
  part = own;
  const lead = () =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      own.leads = true;
      clearTimeout(quiet);
      connect();
    });
  own.channel.addEventListener('message', ({ data }: MessageEvent<Heard | null>) => {
    if (data !== null) hear(data);
    // A tab has come. Its document was read a little earlier.
    else if (own.leads) own.channel.postMessage(heardOf(own.recent.flatMap(({ events }) => events)));
  });
  own.channel.postMessage(null);
  // Browsers have locks only where the connection is safe, and on loopback.
  void (navigator.locks?.request(name, { signal }, lead) ?? lead()).catch(() => undefined);
}

/** Gives the stream to another tab. What changes meanwhile is not heard: everything is read again afterwards. */
function leave(): void {
  part?.ending.abort();
  part?.channel.close();
  stream?.abort();
  clearTimeout(retry);
  clearTimeout(quiet);
  part = stream = lastEventId = undefined;
  if (eventStream.peek() === 'live') eventStream.value = 'connecting';
}

function followVisibility(): void {
  clearTimeout(hiding);
  if (document.visibilityState === 'hidden') hiding = setTimeout(leave, HIDDEN_MS);
  else if (part === undefined && !sessionEnded.peek()) {
    join(workspaceId.peek());
    refreshAll(POLL_MS);
  }
}

function connect(): void {
  clearTimeout(retry);
  stream?.abort();
  const controller = new AbortController();
  stream = controller;
  void follow(controller)
    .catch(() => undefined)
    .then(() => {
      if (stream !== controller || sessionEnded.peek()) return;
      stream = undefined;
      passOn('polling');
      // Another tab may be visible.
      if (document.visibilityState === 'hidden') return leave();
      retry = setTimeout(connect, RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)]);
    });
}

/** Ends when the stream does, and leaves no answer open. */
async function follow(controller: AbortController): Promise<void> {
  /** A fault of the connection. One of what is done with an event is none. */
  const lost = (error: unknown): never => {
    if (stream === controller) noteLost('events');
    throw error;
  };
  let silence = setTimeout(() => controller.abort(), SILENCE_MS);
  try {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (workspaceId.peek() !== '') headers['X-Workspace-Id'] = workspaceId.peek();
    if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
    const init: RequestInit = { headers, signal: controller.signal, credentials: 'same-origin' };
    const answer = await fetch('/api/v1/events', init).catch(lost);
    noteHeard('events');
    if (!answer.ok || answer.body === null) return await refused(answer);
    passOn('live');
    const parse = createEventParser();
    // Not `for await`: Safari and older versions of Chrome have no iterator of a stream.
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) return;
      failures = 0;
      clearTimeout(silence);
      silence = setTimeout(() => controller.abort(), SILENCE_MS);
      if (stream === controller) passOn('live', parse(value));
    }
  } finally {
    clearTimeout(silence);
    controller.abort();
  }
}

async function refused(answer: Response): Promise<void> {
  const { status } = await faultOfAnswer(answer);
  if (status === 401) sessionEnded.value = true;
  // A refusal does not pass soon: polling goes on meanwhile.
  failures = RECONNECT_MS.length;
}

/** Takes note of what the stream brought, and passes it on. */
function passOn(state: Heard['state'], events: readonly StreamEvent[] = []): void {
  const id = events.findLast((event) => event.id !== undefined)?.id ?? lastEventId;
  hear({ state, events, id });
  if (part === undefined) return;
  const atMs = performance.now();
  part.recent = [...part.recent.filter((each) => each.atMs > atMs - RECENT_MS), { atMs, events }];
  part.channel.postMessage(heardOf(events));
}

function heardOf(events: readonly StreamEvent[]): Heard {
  return { state: eventStream.peek(), events, id: lastEventId };
}

function hear({ state, events, id }: Heard): void {
  const isFirst = state === 'live' && eventStream.peek() !== 'live' && lastEventId === undefined;
  if (state === 'live') noteHeard('events');
  eventStream.value = state;
  lastEventId = id;
  // What changed before is in no event that this tab has heard.
  if (isFirst) refreshAll(1_000);
  for (const { event, data } of events) {
    if (!isEventKind(event)) continue;
    const body = JSON.parse(data) as { id?: string };
    applyEvent({ kind: event, id: body.id ?? '' });
  }
  clearTimeout(quiet);
  if (!part?.leads) quiet = setTimeout(() => (eventStream.value = 'polling'), SILENCE_MS);
}
