import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';

export function eventMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOn(registry);
  return {
    streams: gauge('watchpost_event_streams', 'Event streams that clients hold open at this process'),
    sent: counter('watchpost_events_sent_total', 'Events sent to clients, by what they are about', 'event'),
    resets: counter(
      'watchpost_event_resets_total',
      'Clients that were sent a reset: expired, because the id from which they resume is older than 5 minutes, not known, or of a former primary of the database; too_many, because of too many changes at once',
      'reason',
    ),
    ended: counter(
      'watchpost_event_streams_ended_total',
      'Event streams that ended, by reason: client, slow (it did not read), refused (the caller may no longer read), server, displaced (an owner with fewer streams needed its place)',
      'reason',
    ),
    refused: counter(
      'watchpost_event_streams_refused_total',
      'Event streams that were not opened, by reason: principal (it has 10), user (it has 50 with its API keys), process (it has its most, and the owner holds as many of them as any other)',
      'reason',
    ),
    lag: histogram(
      'watchpost_event_lag_seconds',
      'From the change, before its commit, to the reading that sends it, for the oldest event of each reading',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 300],
    ),
    reads: counter('watchpost_event_reads_total', 'Readings of events, by result: ok, failed', 'result'),
  };
}

export type EventMetrics = ReturnType<typeof eventMetrics>;
