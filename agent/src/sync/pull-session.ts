import { status, type StatusObject } from '@grpc/grpc-js';
import type { AssignmentUpdate } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { updateFromWire } from '@watchpost/shared/wire/assignment-update';
import { pullRequestToWire } from '@watchpost/shared/wire/encode-pull-request';
import {
  PROTOCOL_VERSION,
  type AgentHeartbeat,
  type AgentHello,
  type Delta,
  type PlaceEgress,
  type PullMessage,
  type RunReport,
  type RunRequest,
  type Snapshot,
  type Welcome,
} from '@watchpost/shared/wire/messages';
import type { ControlPlaneLink } from './control-plane-link.js';
import type { SessionEnd } from './decide-retry.js';

const WELCOME_WITHIN_MS = 15_000;
const HEALTHY_AFTER_MS = 10_000;
const GOODBYE_WITHIN_MS = 10_000;
const DEFAULT_HEARTBEAT_MS = 5_000;

export interface PullHandlers {
  hello(): AgentHello;
  onWelcome(welcome: Welcome): void;
  /** @param serverTimeMs the control plane's clock when it sent a message, ms since the epoch */
  onTime(serverTimeMs: number): void;
  /** Applies an update. @returns the revision to acknowledge, if any @throws ProtocolError */
  onUpdate(update: Snapshot | Delta, serverTimeMs: number): Promise<number | undefined>;
  /** The ranges of the agent's private location were changed. */
  onEgress(egress: PlaceEgress): void;
  onRunRequest(run: RunRequest): Promise<RunReport>;
  heartbeat(): AgentHeartbeat;
  onDrain(reason: string): void;
}

/**
 * Runs one PullAssignments stream, from the hello to its end. Never rejects.
 * @param leaving asks the control plane to give the checks to other agents, and to drain the stream then
 */
export function runPullSession(
  link: ControlPlaneLink,
  handlers: PullHandlers,
  signal: AbortSignal,
  leaving: AbortSignal,
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

    const send = (message: PullMessage) => {
      if (!ended && !call.writableEnded) call.write(pullRequestToWire(message));
    };
    const giveUp = (code: number, details: string) => {
      ownFault ??= { code, details };
      call.cancel();
    };
    let deadline = setTimeout(() => giveUp(status.DEADLINE_EXCEEDED, 'no welcome in time'), WELCOME_WITHIN_MS);

    /** Ends the agent's side without an error, so that the control plane can hand the checks over at once. */
    const goodbye = () => {
      clearTimeout(deadline);
      deadline = setTimeout(() => giveUp(status.CANCELLED, 'the stream did not end in time'), GOODBYE_WITHIN_MS);
      void Promise.allSettled([applying, ...runs]).then(() => call.end());
    };
    const leave = () => send({ kind: 'leaving' });
    const sendHeartbeat = () => send({ kind: 'heartbeat', heartbeat: handlers.heartbeat() });

    const welcome = (message: Welcome) => {
      clearTimeout(deadline);
      if (message.protocolVersion !== PROTOCOL_VERSION)
        return giveUp(
          status.FAILED_PRECONDITION,
          `the control plane uses protocol version ${message.protocolVersion}, this agent ${PROTOCOL_VERSION}`,
        );
      welcomedAt = performance.now();
      handlers.onWelcome(message);
      sendHeartbeat();
      if (message.settings.leaveWithinMs > 0) leaving.addEventListener('abort', leave, { once: true });
      heartbeat = setInterval(sendHeartbeat, message.settings.heartbeatMs || DEFAULT_HEARTBEAT_MS);
    };
    const apply = (update: Snapshot | Delta, serverTimeMs: number) => {
      applying = applying
        .then(() => (ended ? undefined : handlers.onUpdate(update, serverTimeMs)))
        .then((revision) => {
          if (revision !== undefined) send({ kind: 'revisionAck', revision });
        })
        .catch((error: Error) => giveUp(status.INTERNAL, error.message));
    };
    const runNow = (request: RunRequest) => {
      const run = handlers
        .onRunRequest(request)
        .then(send)
        .catch((error: Error) => giveUp(status.INTERNAL, error.message))
        .finally(() => runs.delete(run));
      runs.add(run);
    };

    call.on('data', (update: AssignmentUpdate) => {
      const serverTimeMs = Number(update.serverTimeMs);
      handlers.onTime(serverTimeMs);
      const message = updateFromWire(update);
      if (message?.kind === 'welcome') return welcome(message);
      if (welcomedAt === undefined) return giveUp(status.INTERNAL, 'the first message was no welcome');
      if (message?.kind === 'runNow') return runNow(message);
      if (message?.kind === 'snapshot' || message?.kind === 'delta') return apply(message, serverTimeMs);
      if (message?.kind === 'egress') return handlers.onEgress(message.egress);
      if (message?.kind !== 'drain' || drained) return;
      drained = true;
      handlers.onDrain(message.reason);
      goodbye();
    });
    // An error is also reported by the status.
    call.on('error', () => {});
    call.on('end', () => call.end());
    call.on('status', (end: StatusObject) => {
      ended = true;
      clearTimeout(deadline);
      clearInterval(heartbeat);
      signal.removeEventListener('abort', goodbye);
      leaving.removeEventListener('abort', leave);
      const healthy = welcomedAt !== undefined && performance.now() - welcomedAt >= HEALTHY_AFTER_MS;
      if (!drained && !signal.aborted) {
        // gRPC waits without limit for the first answer of a connection whose other side forgot it, and keeps the connection.
        if (welcomedAt === undefined && ownFault) link.renew();
        else link.tryAnotherAddress();
      }
      resolve({ ...link.readEnd(end), ...ownFault, healthy, drained });
    });
    signal.addEventListener('abort', goodbye, { once: true });
    send({ kind: 'hello', protocolVersion: PROTOCOL_VERSION, hello: handlers.hello() });
    if (signal.aborted) goodbye();
  });
}
