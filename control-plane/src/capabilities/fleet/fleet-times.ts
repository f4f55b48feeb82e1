import type { GatheringTimes } from './members/decide-epoch-start.js';

/** Intervals and time limits of the fleet, ms. */
export interface FleetTimes extends GatheringTimes {
  /** How often agents send a heartbeat. */
  heartbeatMs: number;
  /** How often changes and members are read without a message on the bus. */
  changePollMs: number;
  membershipPollMs: number;
  /** Replaces both while the bus is disconnected. */
  deafPollMs: number;
  statusPollMs: number;
  /** How long heartbeats are collected before they are stored. */
  heartbeatFlushMs: number;
  /** For how long an agent is awaited after its stream broke. */
  departureMs: number;
  /** For how long agents are awaited after their process died, and after a time without any process. */
  startupGraceMs: number;
  /** For how long at most an agent keeps checks that move to other agents. */
  handoverMs: number;
  /** How often a process renews its sign of life. */
  renewMs: number;
  /** A process without a sign of life for this long counts as dead. */
  leaseMs: number;
}

export const FLEET_TIMES: FleetTimes = {
  heartbeatMs: 5_000,
  changePollMs: 3_000,
  membershipPollMs: 5_000,
  deafPollMs: 1_000,
  statusPollMs: 2_000,
  heartbeatFlushMs: 3_000,
  departureMs: 1_000,
  startupGraceMs: 30_000,
  joinQuietMs: 500,
  joinMostMs: 3_000,
  joinBusyMs: 20_000,
  lossQuietMs: 250,
  lossMostMs: 500,
  handoverMs: 5_000,
  renewMs: 2_000,
  leaseMs: 10_000,
};
