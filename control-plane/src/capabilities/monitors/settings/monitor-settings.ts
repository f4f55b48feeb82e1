import type { MonitorType } from '@watchpost/shared/check';
import type { ExtraRegion } from '@watchpost/shared/region';
import { DEFAULT_HTTP, type HttpSettings } from './http-settings-schemas.js';
import type { HeartbeatSettings } from '../heartbeat/heartbeat-settings-schemas.js';
import {
  DEFAULT_DNS,
  DEFAULT_LATENCY,
  DEFAULT_SSL,
  DEFAULT_TCP_UDP,
  type DnsSettings,
  type LatencySettings,
  type SslSettings,
  type TcpUdpSettings,
} from './type-settings-schemas.js';

export const MONITORING_STATUSES = ['enabled', 'disabled', 'paused'] as const;
export type MonitoringStatus = (typeof MONITORING_STATUSES)[number];

export interface Reporting {
  dailyReport: boolean;
  weeklyReport: boolean;
  monthlyReport: boolean;
}

/** All settings of a monitor. */
export interface MonitorSettings {
  name: string;
  /** Null for a heartbeat, which is not checked: the job reports. */
  url: string | null;
  monitorTypes: MonitorType[];
  monitoringStatus: MonitoringStatus;
  checkIntervalMs: number;
  checkTimeoutMs: number;
  numberOfChecksBeforeAlert: number;
  numberOfChecksBeforeRecovery: number;
  enabledRegions: ExtraRegion[];
  serviceGroupId: string | null;
  /** Normalized: see `normalizeTags`. */
  tags: string[];
  reporting: Reporting;
  /** Values of secret headers are masked here; `HttpSecrets` contains them. */
  http: HttpSettings;
  ssl: SslSettings;
  latency: LatencySettings;
  dns: DnsSettings;
  tcpUdp: TcpUdpSettings;
  /** Null for every other type. */
  heartbeat: HeartbeatSettings | null;
  /** Ids of the monitors whose outage explains a failure of this one. In the order of ids. */
  dependsOn: string[];
}

/** Values of secret headers, by lower-case name. */
export type HttpSecrets = Readonly<Record<string, string>>;

export const DEFAULT_TIMEOUT_MS = 30_000;

export const DEFAULT_SETTINGS: Omit<MonitorSettings, 'name' | 'url'> = {
  monitorTypes: ['HttpAvailability'],
  monitoringStatus: 'enabled',
  checkIntervalMs: 300_000,
  checkTimeoutMs: DEFAULT_TIMEOUT_MS,
  numberOfChecksBeforeAlert: 2,
  numberOfChecksBeforeRecovery: 1,
  enabledRegions: [],
  serviceGroupId: null,
  tags: [],
  reporting: { dailyReport: false, weeklyReport: false, monthlyReport: false },
  http: DEFAULT_HTTP,
  ssl: DEFAULT_SSL,
  latency: DEFAULT_LATENCY,
  dns: DEFAULT_DNS,
  tcpUdp: DEFAULT_TCP_UDP,
  heartbeat: null,
  dependsOn: [],
};
