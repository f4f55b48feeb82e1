import type { CheckKind, MonitorType } from '@watchpost/shared/check';

const KIND_OF: Readonly<Partial<Record<MonitorType, CheckKind>>> = { HttpAvailability: 'http', Latency: 'http' };

/** The checks that serve these types, each once; types that no agent can run yet have none. */
export function checkKindsOf(types: readonly MonitorType[]): CheckKind[] {
  return [...new Set(types.flatMap((type) => KIND_OF[type] ?? []))];
}
