import { status, type StatusObject } from '@grpc/grpc-js';
import type {
  AssignmentUpdate,
  Heartbeat,
  Hello,
  PullRequest,
  RunNow,
  RunResult,
  Welcome,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { ControlPlaneLink } from './control-plane-link.js';
import type { SessionEnd } from './decide-retry.js';

export const PROTOCOL_VERSION = 1;
const WELCOME_WITHIN_MS = 15_000;
const HEALTHY_AFTER_MS = 10_000;
const GOODBYE_WITHIN_MS = 10_000;
const DEFAULT_HEARTBEAT_MS = 5_000;

export interface PullHandlers {
  hello(): Hello;
  onWelcome(welcome: Welcome): void;
  onTime(serverTimeMs: number): void;
  /** Applies an update. @returns the revision to acknowledge, if any @throws ProtocolError */
  onUpdate(update: AssignmentUpdate): Promise<bigint | undefined>;
  onRunNow(run: RunNow): Promise<RunResult>;
  heartbeat(): Heartbeat;
  onDrain(reason: string): void;
}

/** One PullAssignments stream, from the hello to its end. Never rejects. */
export function runPullSession(
  link: ControlPlaneLink,
  handlers: PullHandlers,
  signal: AbortSignal,
): Promise<SessionEnd> {
  return new Promise((resolve) => {
    const call = link.client().pullAssignments(link.metadata());
    let welcomedAt: number | undefined;
    let drained = false;
    let ended = false;
    let ownFault: { code: number; details: string } | undefined;
    let heartbeat: NodeJS.Timeout | undefined;
    let applying = Promise.resolve();
    const runs = new Set<Promise<void>>();

    const send = (message: PullRequest['message']) => {
      if (!ended && !call.writableEnded) call.write({ message });
    };
    const giveUp = (code: number, details: string) => {
      ownFault ??= { code, details };
      call.cancel();
    };
    let deadline = setTimeout(() => giveUp(status.DEADLINE_EXCEEDED, 'no welcome in time'), WELCOME_WITHIN_MS);

    /** Ends our side in peace, so that the control plane can hand our checks over at once. */
    const goodbye = () => {
      clearTimeout(deadline);
      deadline = setTimeout(() => giveUp(status.CANCELLED, 'the stream did not end in time'), GOODBYE_WITHIN_MS);
      void Promise.allSettled([applying, ...runs]).then(() => call.end());
    };
    const beat = () => send({ $case: 'heartbeat', value: handlers.heartbeat() });

    const welcome = (value: Welcome) => {
      clearTimeout(deadline);
      if (value.protocolVersion !== PROTOCOL_VERSION)
        return giveUp(status.FAILED_PRECONDITION, `it speaks protocol version ${value.protocolVersion}`);
      welcomedAt = performance.now();
      handlers.onWelcome(value);
      beat();
      heartbeat = setInterval(beat, value.settings?.heartbeatMs || DEFAULT_HEARTBEAT_MS);
    };
    const apply = (update: AssignmentUpdate) => {
      applying = applying
        .then(() => (ended ? undefined : handlers.onUpdate(update)))
        .then((revision) => {
          if (revision !== undefined) send({ $case: 'revisionAck', value: { revision } });
        })
        .catch((error: Error) => giveUp(status.INTERNAL, error.message));
    };
    const runNow = (value: RunNow) => {
      const run = handlers
        .onRunNow(value)
        .then((result) => send({ $case: 'runResult', value: result }))
        .catch((error: Error) => giveUp(status.INTERNAL, error.message))
        .finally(() => runs.delete(run));
      runs.add(run);
    };

    call.on('data', (update: AssignmentUpdate) => {
      handlers.onTime(Number(update.serverTimeMs));
      const { message } = update;
      if (message?.$case === 'welcome') return welcome(message.value);
      if (welcomedAt === undefined) return giveUp(status.INTERNAL, 'the first message was no welcome');
      if (message?.$case === 'runNow') return runNow(message.value);
      if (message?.$case === 'snapshot' || message?.$case === 'delta') return apply(update);
      if (message?.$case !== 'drain' || drained) return;
      drained = true;
      handlers.onDrain(message.value.reason);
      goodbye();
    });
    call.on('error', () => {}); // told by the status, too
    call.on('end', () => call.end());
    call.on('status', (end: StatusObject) => {
      ended = true;
      clearTimeout(deadline);
      clearInterval(heartbeat);
      signal.removeEventListener('abort', goodbye);
      const healthy = welcomedAt !== undefined && performance.now() - welcomedAt >= HEALTHY_AFTER_MS;
      if (!drained && !signal.aborted) link.doubt();
      resolve({ ...link.readEnd(end), ...ownFault, healthy, drained });
    });
    signal.addEventListener('abort', goodbye, { once: true });
    send({ $case: 'hello', value: handlers.hello() });
    if (signal.aborted) goodbye();
  });
}
