import type { OutgoingHttpHeaders } from 'node:http2';
import type { GrpcTarget } from '@watchpost/shared/checks/grpc';
import type { Evidence } from '@watchpost/shared/outcome';
import { healthState } from '@watchpost/shared/wire/health-state';
import { cutText } from '@watchpost/shared/storable-text';
import { answerDigest } from './answer-digest.js';
import { callGrpc, type GrpcAnswer } from './grpc-call.js';
import { headerEvidence } from './http-evidence.js';
import { writePayload } from './payload.js';
import { printable } from './printable.js';
import { probeOfHost } from './probe-of-host.js';
import { ProbeFault } from './probe-fault.js';
import { reachSecured } from './reach-secured.js';
import { HTTP2 } from './secure-socket.js';

const MOST_MESSAGE_CHARS = 200;
/** The codes of gRPC, by their number. */
const STATUSES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED'],
  ...['INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'],
];
/** The states of `grpc.health.v1`, by their number. */
const STATES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
/** Metadata that the call itself sets. */
const OWN_METADATA = /^(?:content-type|user-agent$|grpc-)/;

/** Asks a gRPC server for the health of a service, on its own connection. */
export const probeGrpc = probeOfHost<GrpcTarget>(async (check) => {
  const { spec, target, context, place, reach, deadline, report } = check;
  const peer =
    target.protocol === 'grpcs' ? { host: target.host, verify: target.verifyCertificate, protocols: HTTP2 } : null;
  const { socket, evidence } = await reachSecured(place, peer, target, context, deadline, reach);
  if (socket instanceof ProbeFault) return report(socket, evidence);
  const headers = headersOf(target, spec.timeoutMs, context.userAgent);
  const answer = await callGrpc(socket, reach.address!, headers, requestOf(target.service), deadline);
  reach.timings.firstByteUs = answer.firstByteUs;
  reach.timings.transferUs = answer.transferUs;
  const fault = answer.fault ?? judge(answer, target, reach.address!);
  const reported = report(fault, evidenceOf(answer));
  if (!fault?.isAnswer) return reported;
  if (target.protocol === 'grpcs' && target.verifyCertificate) return { ...reported, answer: 'verified' };
  return { ...reported, answerDigest: answerDigest(codeOf(answer), messageOf(answer)) };
});

function headersOf(target: GrpcTarget, timeoutMs: number, userAgent: string): OutgoingHttpHeaders {
  const { host, port, protocol } = target;
  const metadata = target.headers
    .map(({ name, value }) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OWN_METADATA.test(name));
  return {
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    ':scheme': protocol === 'grpcs' ? 'https' : 'http',
    ':authority': `${host.includes(':') ? `[${host}]` : host}:${port}`,
    te: 'trailers',
    'content-type': 'application/grpc',
    'user-agent': userAgent,
    'grpc-timeout': `${timeoutMs}m`,
    ...Object.fromEntries(metadata),
  };
}

/** A HealthCheckRequest, whose only field is the name, behind its prefix: not compressed, and its length. */
function requestOf(service: string | null): Buffer {
  const name = Buffer.from(service ?? '');
  const body = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, ...varint(name.length)]), name]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** @returns the number of the state in a body; undefined where it is not one whole message with it */
function stateOf(body: Buffer): number | undefined {
  if (body.length < 5 || body[0] !== 0 || body.readUInt32BE(1) !== body.length - 5) return undefined;
  return healthState(body.subarray(5));
}

function judge(answer: GrpcAnswer, target: GrpcTarget, address: string): ProbeFault | null {
  const { status, body } = answer;
  const service = target.service === null ? 'the server as a whole' : `the service ${target.service}`;
  const code = codeOf(answer);
  if (code === null && !status['content-type']?.startsWith('application/grpc')) {
    const type = status['content-type'];
    const why = `its status is ${Number(status[':status'])}, and its content type ${type === undefined ? 'is missing' : printable(type)}`;
    return new ProbeFault('grpc_not_grpc', { address, why });
  }
  if (code === null) return new ProbeFault('grpc_garbled', { address, why: 'it has no status of gRPC' });
  if (STATUSES[code] === 'UNIMPLEMENTED') return new ProbeFault('grpc_unimplemented', { address });
  if (STATUSES[code] === 'NOT_FOUND') return new ProbeFault('grpc_unknown', { address, service });
  if (code !== 0)
    return new ProbeFault('grpc_refused', { address, service, status: statusText(code, messageOf(answer)) });
  const state = stateOf(body);
  if (state === undefined) return new ProbeFault('grpc_garbled', { address, why: 'it holds no state of a service' });
  switch (STATES[state]) {
    case 'SERVING':
      return null;
    case 'NOT_SERVING':
      return new ProbeFault('grpc_not_serving', { address, service });
    case 'SERVICE_UNKNOWN':
      return new ProbeFault('grpc_unknown', { address, service });
    default:
      return new ProbeFault('grpc_state', { address, service, state: STATES[state] ?? state });
  }
}

/** The status with the message of the server, which is percent-encoded and can hold anything. */
function statusText(code: number, message: string): string {
  const name = STATUSES[code] ?? String(code);
  const text = cutText(decoded(message).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?'), MOST_MESSAGE_CHARS);
  return text === '' ? name : `${name} (“${text}”)`;
}

/** @returns null where there is no status of gRPC */
function codeOf({ status }: GrpcAnswer): number | null {
  const text = String(status['grpc-status'] ?? '');
  return /^\d{1,5}$/.test(text) ? Number(text) : null;
}

function messageOf({ status }: GrpcAnswer): string {
  return String(status['grpc-message'] ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function evidenceOf({ headers, first }: GrpcAnswer): Evidence {
  if (headers.length > 0) return { headers: headerEvidence({ headers }) };
  return first.length > 0 ? { received: writePayload(first) } : {};
}
