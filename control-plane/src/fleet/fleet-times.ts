/** What is waited for, in ms. */
export interface FleetTimes {
  heartbeatMs: number;
  /** Safety net under the bus. */
  changePollMs: number;
  statusPollMs: number;
  pulseFlushMs: number;
  departureMs: number;
  startupGraceMs: number;
  handOverMs: number;
}

export const FLEET_TIMES: FleetTimes = {
  heartbeatMs: 5_000,
  changePollMs: 3_000,
  statusPollMs: 1_000,
  pulseFlushMs: 3_000,
  departureMs: 1_000,
  startupGraceMs: 30_000,
  handOverMs: 5_000,
};
