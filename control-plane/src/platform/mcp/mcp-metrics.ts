import type { Registry } from 'prom-client';
import { metricsOn, REQUEST_SECONDS } from '@watchpost/shared/metrics-on';

/** What the MCP shell counts. Tools that do not exist are one label, so the labels stay few. */
export class McpMetrics {
  private readonly calls;
  private readonly durations;
  readonly streams;

  constructor(registry: Registry) {
    const { counter, gauge, histogram } = metricsOn(registry);
    this.calls = counter(
      'watchpost_mcp_tool_calls_total',
      'Tool calls answered, by tool and outcome: ok, or the code of what stood in the way',
      'tool',
      'outcome',
    );
    this.durations = histogram(
      'watchpost_mcp_tool_call_duration_seconds',
      'Time from the call to its result',
      REQUEST_SECONDS,
      'tool',
    );
    this.streams = gauge('watchpost_mcp_streams', 'Event streams that clients hold open');
  }

  called(tool: string, outcome: string, durationMs: number): void {
    this.calls.inc({ tool, outcome });
    this.durations.observe({ tool }, durationMs / 1_000);
  }
}
