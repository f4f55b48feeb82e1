import type { CheckKind, MonitorType } from '@watchpost/shared/check';

const KIND_OF: Readonly<Record<MonitorType, CheckKind>> = {
  HttpAvailability: 'http',
  Latency: 'http',
  SslCertificate: 'ssl',
  Dns: 'dns',
  TcpUdp: 'tcpUdp',
};

/** The check kinds that these monitor types need, each once. */
export function checkKindsOf(types: readonly MonitorType[]): CheckKind[] {
  return [...new Set(types.map((type) => KIND_OF[type]))];
}
