import type { MonitorType } from '@watchpost/shared/check';
import type { FaultDetail } from '@watchpost/shared/fault';
import { METHODS_WITH_BODY } from './http-settings-schemas.js';
import { isOneMonitor, mailPortOf, urlTypeFaults } from './monitor-url.js';

/** Settings that can contradict each other; undefined ones are unknown here and cause no fault. */
export interface ContradictableSettings {
  /** Null: there is none. */
  url?: string | null | undefined;
  monitorTypes?: readonly MonitorType[] | undefined;
  serviceGroupId?: string | null | undefined;
  http?:
    | { method?: string | undefined; body?: string | null | undefined; keyword?: string | null | undefined }
    | undefined;
  tcpUdp?: { send?: string | null | undefined } | undefined;
  /** Whether it has these settings matters here, not which. */
  heartbeat?: unknown;
}

/** The contradictions between settings that are each valid. */
export function decideSettingsFaults(settings: ContradictableSettings): FaultDetail[] {
  const { url, monitorTypes, serviceGroupId, http, tcpUdp } = settings;
  const faults: FaultDetail[] = heartbeatFaults(settings);
  if (url !== undefined && url !== null && monitorTypes !== undefined) {
    for (const message of urlTypeFaults(url, monitorTypes)) faults.push({ path: 'url', message });
  }
  if (monitorTypes?.includes('TcpUdp') && !isOneMonitor(monitorTypes)) {
    const others = monitorTypes.filter((type) => type !== 'TcpUdp').join(', ');
    const message = `cannot have TcpUdp together with ${others}: it needs a tcp:// or udp:// URL, so make a monitor of its own for it`;
    faults.push({ path: 'monitorTypes', message });
  }
  if (monitorTypes?.includes('TcpUdp') && serviceGroupId !== undefined && serviceGroupId !== null) {
    faults.push({ path: 'serviceGroupId', message: 'must be null for TcpUdp, which joins no service group' });
  }
  const mailPort = url === undefined || url === null ? null : mailPortOf(url);
  if (mailPort !== null && tcpUdp?.send !== undefined && tcpUdp.send !== null) {
    faults.push({
      path: 'tcpUdp.send',
      message: `must be null for port ${mailPort}: nothing is sent to mail servers. They greet by themselves; check the greeting with \`tcpUdp.expect\``,
    });
  }
  const method = http?.method;
  if (method !== undefined && http?.body !== undefined && http.body !== null && !METHODS_WITH_BODY.has(method)) {
    faults.push({
      path: 'http.body',
      message: `cannot be sent with ${method}; ${[...METHODS_WITH_BODY].join(', ')} can carry one`,
    });
  }
  if (method === 'HEAD' && http?.keyword !== undefined && http.keyword !== null) {
    faults.push({ path: 'http.keyword', message: 'cannot be found with HEAD, whose answers have no body' });
  }
  return faults;
}

/** A heartbeat is a monitor of its own kind: nothing is checked, so it has no URL. */
function heartbeatFaults({ url, monitorTypes, heartbeat }: ContradictableSettings): FaultDetail[] {
  if (monitorTypes === undefined) return [];
  if (!monitorTypes.includes('Heartbeat')) {
    const message = 'must be left out: only monitors of type Heartbeat have it';
    return heartbeat === undefined || heartbeat === null ? [] : [{ path: 'heartbeat', message }];
  }
  const others = monitorTypes.filter((type) => type !== 'Heartbeat').join(', ');
  const together = `cannot have Heartbeat together with ${others}: make a monitor of its own for it`;
  return [
    ...(others === '' ? [] : [{ path: 'monitorTypes', message: together }]),
    ...(url === undefined || url === null
      ? []
      : [{ path: 'url', message: 'must not be sent for Heartbeat, which checks nothing' }]),
  ];
}
