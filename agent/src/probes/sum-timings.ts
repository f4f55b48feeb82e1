import type { Timings } from '@watchpost/shared/outcome';

export function sumTimings(all: readonly Timings[]): Timings {
  const sum: Timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  for (const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, authUs = 0 } of all) {
    sum.dnsUs += dnsUs;
    sum.connectUs += connectUs;
    sum.tlsUs += tlsUs;
    sum.firstByteUs += firstByteUs;
    sum.transferUs += transferUs;
    if (authUs > 0) sum.authUs = (sum.authUs ?? 0) + authUs;
  }
  return sum;
}
