import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { AssignmentUpdate } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { AgentCall } from './agent-call.js';
import type { AgentIdentity, AssignmentReceiver, AssignmentSink } from '../agents/agent-connection.js';
import type { Stoppable } from '../../../platform/grpc/index.js';
import { stopAtExpiry, type StreamDeps } from './stream-deps.js';
import { updateToWire } from '@watchpost/shared/wire/assignment-update';
import type { PullMessage } from '@watchpost/shared/wire/messages';
import type { WireError } from '@watchpost/shared/wire/wire-error';

/** A stream without a hello is ended after this time, ms. */
const HELLO_DEADLINE_MS = 10_000;

export async function servePullAssignments(
  call: ServerDuplexStream<PullMessage | WireError, AssignmentUpdate>,
  deps: StreamDeps,
): Promise<void> {
  const { fleet, clock } = deps;
  const stream = new AgentCall(call, 'PullAssignments', deps.metrics);
  const helloTimer = setTimeout(() => stream.end('malformed', 'No hello came.'), HELLO_DEADLINE_MS);
  stream.whenOver(() => clearTimeout(helloTimer));
  const caller = await stream.authenticate(deps.authenticate);
  if (!caller) return;
  const { agent } = caller;

  const sink: AssignmentSink = {
    send: (message) => stream.send(updateToWire(message, clock.now())),
    end: (reason, message) => stream.end(reason, message),
  };
  const stoppable: Stoppable = {
    stop: async (reason) => {
      await Promise.race([
        sink.send({ kind: 'drain', reason }),
        new Promise((resolve) => setTimeout(resolve, 500).unref()),
      ]);
      stream.end('stopping', `${reason} Connect again.`);
    },
  };
  deps.open.add(stoppable);
  const endExpiry = stopAtExpiry(stoppable, caller, clock.now());
  const endWatch = fleet.watchRevocation(agent, (reason) => stream.endRevoked(reason));
  let session: AssignmentReceiver | undefined;
  stream.whenOver(() => {
    endWatch();
    endExpiry();
    deps.open.delete(stoppable);
    session?.closed();
  });
  stream.read(
    (message) => {
      if (message.kind === 'hello') {
        clearTimeout(helloTimer);
        if (session) stream.end('malformed', 'A second hello came.');
        else session = open(message, agent, sink, deps);
      } else if (session) session.receive(message);
      else stream.end('malformed', 'The first message must be the hello.');
    },
    () => stream.complete(),
  );
}

function open(
  { protocolVersion, hello }: Extract<PullMessage, { kind: 'hello' }>,
  agent: AgentIdentity,
  sink: AssignmentSink,
  deps: StreamDeps,
): AssignmentReceiver | undefined {
  // A newer agent is accepted: it supports version 1 too, and the welcome names the version to use.
  if (protocolVersion < 1) {
    sink.end('unsupported', `Protocol version ${protocolVersion} is not supported; this control plane speaks 1.`);
  } else if (hello.capabilities.length === 0) {
    sink.end('unsupported', 'The agent can run no kind of check that this control plane knows.');
  } else {
    return deps.fleet.openSession(agent, hello, sink);
  }
  return undefined;
}
