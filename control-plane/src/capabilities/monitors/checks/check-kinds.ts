import type { CheckKind, MonitorType } from '@watchpost/shared/check';

/** Null: no agent checks it. */
const KIND_OF: Readonly<Record<MonitorType, CheckKind | null>> = {
  HttpAvailability: 'http',
  Latency: 'http',
  SslCertificate: 'ssl',
  Dns: 'dns',
  TcpUdp: 'tcpUdp',
  Heartbeat: null,
};

/** The check kinds that these monitor types need, each once. */
export function checkKindsOf(types: readonly MonitorType[]): CheckKind[] {
  return [...new Set(types.flatMap((type) => KIND_OF[type] ?? []))];
}
