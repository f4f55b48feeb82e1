import { expect } from 'chai';
import { status } from '@grpc/grpc-js';
import { STATUS_OF_STREAM_END, statusOfFault } from './stream-status.js';

/** Agents exit on these. */
const FATAL = [status.UNAUTHENTICATED, status.PERMISSION_DENIED, status.FAILED_PRECONDITION];

describe('the gRPC status of an error', () => {
  it('makes an agent exit only if retrying cannot help', () => {
    const fatal = Object.entries(STATUS_OF_STREAM_END).filter(([, code]) => FATAL.includes(code));
    expect(fatal.map(([reason]) => reason).toSorted()).to.deep.equal([
      // with a trailer that asks for a renewal first
      'certificateExpired',
      'noCertificate',
      'revoked',
      'unknownAgent',
      'unsupported',
    ]);
    for (const code of ['rate_limited', 'internal_error', 'unavailable'] as const)
      expect(FATAL).not.to.include(statusOfFault(code));
  });
});
