/** What is waited for, in ms. */
export interface FleetTimes {
  heartbeatMs: number;
  /** Safety nets under the bus. */
  changePollMs: number;
  membershipPollMs: number;
  /** In place of both while other processes are not heard. */
  deafPollMs: number;
  statusPollMs: number;
  heartbeatFlushMs: number;
  departureMs: number;
  startupGraceMs: number;
  handOverMs: number;
  /** How often a process shows that it is alive, and after how long without that it counts as dead. */
  renewMs: number;
  leaseMs: number;
}

export const FLEET_TIMES: FleetTimes = {
  heartbeatMs: 5_000,
  changePollMs: 3_000,
  membershipPollMs: 5_000,
  deafPollMs: 1_000,
  statusPollMs: 1_000,
  heartbeatFlushMs: 3_000,
  departureMs: 1_000,
  startupGraceMs: 30_000,
  handOverMs: 5_000,
  renewMs: 2_000,
  leaseMs: 10_000,
};
