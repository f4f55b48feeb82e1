import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the MCP shell counts. Tools that do not exist are one label, so the labels stay few. */
export class McpMetrics {
  private readonly calls: Counter<'tool' | 'outcome'>;
  private readonly durations: Histogram<'tool'>;
  readonly streams: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'watchpost_mcp_tool_calls_total',
      help: 'Tool calls answered, by tool and outcome: ok, or the code of what stood in the way',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.durations = new Histogram({
      name: 'watchpost_mcp_tool_call_duration_seconds',
      help: 'Time from the call to its result',
      labelNames: ['tool'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.streams = new Gauge({
      name: 'watchpost_mcp_streams',
      help: 'Event streams that clients hold open',
      registers,
    });
  }

  called(tool: string, outcome: string, durationMs: number): void {
    this.calls.inc({ tool, outcome });
    this.durations.observe({ tool }, durationMs / 1_000);
  }
}
