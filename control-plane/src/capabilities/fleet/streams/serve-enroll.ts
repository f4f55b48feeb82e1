import { Metadata, status, type handleUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import type { Enrollment, EnrollRequest } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { PeerCredential } from '../../../platform/grpc/index.js';
import type { AgentCertificates } from '../certificates/agent-certificates.js';
import { STATUS_OF_STREAM_END } from './stream-status.js';
import { WireError } from '@watchpost/shared/wire/wire-error';

/** Limits concurrent enrolments. Each costs a signature and a few statements. */
const MAX_AT_ONCE = 32;
const MAX_TOKEN_LENGTH = 256;

/** Refuses `Enroll` on a port without TLS. */
export const refuseEnroll: handleUnaryCall<EnrollRequest | WireError, Enrollment> = (_call, answer) =>
  answer({
    code: status.UNIMPLEMENTED,
    details: 'This port has no TLS: the token itself is the credential.',
    metadata: new Metadata(),
  });

export interface EnrollDeps {
  certificates: AgentCertificates;
  clock: Clock;
  logger: Logger;
}

/** Serves `Enroll` on all connections that have TLS. @returns the handler for those whose certificates are given */
export function enrollServer(
  deps: EnrollDeps,
): (credentialOf: (peer: string) => PeerCredential) => handleUnaryCall<EnrollRequest | WireError, Enrollment> {
  let running = 0;
  return (credentialOf) => (call, answer) => {
    const refuse = (code: status, details: string) => answer({ code, details, metadata: new Metadata() });
    const { request } = call;
    if (request instanceof WireError) return refuse(status.INVALID_ARGUMENT, request.message);
    if (request.token.length > MAX_TOKEN_LENGTH) return refuse(status.UNAUTHENTICATED, 'No agent has this token.');
    if (running >= MAX_AT_ONCE) return refuse(status.UNAVAILABLE, 'Too many agents enrol at once: try again.');
    running++;
    void enroll(request, credentialOf(call.getPeer()), deps, answer)
      .catch((error: unknown) => {
        deps.logger.error({ err: error }, 'an enrolment failed');
        refuse(status.UNAVAILABLE, 'No certificate can be given now: try again.');
      })
      .finally(() => running--);
  };
}

async function enroll(
  request: EnrollRequest,
  peer: PeerCredential,
  { certificates, clock }: EnrollDeps,
  answer: sendUnaryData<Enrollment>,
): Promise<void> {
  const enrolled = await certificates.enroll({ token: request.token, csr: Buffer.from(request.csr) }, peer);
  if ('refused' in enrolled)
    return answer({
      code: STATUS_OF_STREAM_END[enrolled.refused],
      details: enrolled.message,
      metadata: new Metadata(),
    });
  answer(null, {
    certificate: enrolled.certificate,
    authorities: [...enrolled.authorities],
    renewAfterMs: BigInt(Math.round(enrolled.renewAfterMs)),
    expiresAtMs: BigInt(enrolled.expiresMs),
    serverTimeMs: BigInt(clock.now()),
  });
}
