import type { PingTarget } from '@watchpost/shared/checks/ping';
import type { Outcome } from '@watchpost/shared/outcome';
import { allowedOf } from './connect-address.js';
import { probeOfHost } from './probe-of-host.js';
import { ProbeFault } from './probe-fault.js';
import { resolvePlace } from './reach-host.js';
import type { PingReading } from './read-ping.js';
import { runPing } from './run-ping.js';

/** Sends echo requests to the first address of a host, or to the next one where the agent has no route to that. */
export const probePing = probeOfHost<PingTarget>(async (check) => {
  const { spec, target, context, place, reach, deadline, report } = check;
  if (context.pingProgram === null) return report(new ProbeFault('ping_unable'));
  const unresolved = await resolvePlace(place, target, context, deadline, reach);
  if (unresolved) return report(unresolved);
  const allowed = allowedOf(target.host, reach.resolved, context.egress[target.egress]);
  if (allowed instanceof ProbeFault) return report(allowed);
  let reading: PingReading | ProbeFault;
  let tried = 0;
  do {
    reach.address = allowed[tried++]!;
    const { count, size } = target;
    reading = await runPing(context.pingProgram, { host: reach.address, count, size }, deadline);
  } while (tried < allowed.length && reading instanceof ProbeFault && reading.key === 'agent_no_route');
  if (reading instanceof ProbeFault) return report(reading);
  const { figures } = reading;
  const { fault, degraded } = judge(reading, target, reach.address, spec.timeoutMs);
  // The time of a ping is that of its answers, not that between its packets.
  reach.timings.firstByteUs = Math.round((figures.averageMs ?? 0) * 1_000);
  const totalUs = reach.timings.dnsUs + reach.timings.firstByteUs;
  const { outcome, ...rest } = report(fault);
  const shown = degraded ? warning(degraded) : outcome;
  return { ...rest, outcome: shown, ping: figures, ...(figures.received > 0 && { totalUs }) };
});

function judge(
  { figures, refusal }: PingReading,
  target: PingTarget,
  address: string,
  timeoutMs: number,
): { fault: ProbeFault | null; degraded: ProbeFault | null } {
  const { sent, received, averageMs } = figures;
  const lost = (100 * (sent - received)) / sent;
  const { maxLossPercent, degradedLossPercent, maxAverageMs } = target;
  const facts = { address, sent, received, loss: Math.round(10 * lost) / 10, seconds: timeoutMs / 1_000 };
  if (lost > maxLossPercent) {
    if (received > 0) return down(new ProbeFault('ping_loss', { ...facts, limit: maxLossPercent }));
    return down(
      refusal ? new ProbeFault('ping_unreachable', { address, ...refusal }) : new ProbeFault('ping_silent', facts),
    );
  }
  if (degradedLossPercent !== null && lost > degradedLossPercent)
    return { fault: null, degraded: new ProbeFault('ping_loss_degraded', { ...facts, limit: degradedLossPercent }) };
  if (maxAverageMs !== null && averageMs !== null && averageMs > maxAverageMs)
    return {
      fault: null,
      degraded: new ProbeFault('ping_slow', { address, average: averageMs, limit: maxAverageMs }),
    };
  return { fault: null, degraded: null };
}

function down(fault: ProbeFault): { fault: ProbeFault; degraded: null } {
  return { fault, degraded: null };
}

function warning({ sentence }: ProbeFault): Outcome {
  return { kind: 'up', degraded: sentence };
}
