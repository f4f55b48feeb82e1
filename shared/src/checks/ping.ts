import { z } from 'zod';
import { defineCheck, type TargetOf } from './define-check.js';
import { agentFault, answered, down } from './fault-kind.js';

const percent = z.int().min(0).max(99);

/** Echo requests of ICMP or ICMPv6. */
export const pingCheck = defineCheck({
  kind: 'ping',
  code: 7,
  target: {
    /** Name or address, without brackets. */
    host: z.string(),
    count: z.int().min(1).max(20).default(5),
    /** The bytes of each packet beside its headers. */
    size: z.int().min(16).max(1_400).default(56),
    /** Down where more are lost. */
    maxLossPercent: percent.default(99),
    /** Degraded where more are lost; null: never. */
    degradedLossPercent: percent.nullable().default(null),
    /** Degraded where the average is longer; null: never. */
    maxAverageMs: z.number().positive().nullable().default(null),
  },
  hostOf: ({ host }) => host,
  faults: {
    ping_silent: down('connect', 'timeout', 'The host at {address} answered none of {sent} within {seconds} s.'),
    ping_loss: down(
      'connect',
      'timeout',
      'The host at {address} answered {received} of {sent} within {seconds} s: {loss} % were lost, and at most {limit} % may be.',
    ),
    ping_unreachable: down(
      'connect',
      'host_unreachable',
      'The host at {address} cannot be reached: {router} reports “{why}”.',
    ),
    ping_loss_degraded: answered(
      'content',
      'assertion_failed',
      'The host at {address} answered {received} of {sent}: {loss} % were lost, and more than {limit} % degrade it.',
    ),
    ping_slow: answered(
      'content',
      'assertion_failed',
      'The host at {address} answered after {average} ms on average; more than {limit} ms degrade it.',
    ),
    ping_unable: agentFault(
      'unsupported',
      'The agent may not send pings: it has no program ping that works. The guide “Running agents” describes how to enable it.',
    ),
    ping_failed: agentFault('agent_overloaded', 'The program ping of the agent failed: {why}.'),
    ping_queue: agentFault('agent_overloaded', 'The agent had too many pings to send at once.'),
  },
});
export type PingTarget = TargetOf<typeof pingCheck>;
