import type { Place } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { AgentIdentity } from './agent-connection.js';
import type { Visibility } from '@watchpost/shared/wire/messages';
import type { FleetMetrics } from '../fleet-metrics.js';

/** The blind agents among those connected to this process. Each change is logged once. */
export class AgentVisibility {
  private readonly blind = new Map<string, Place>();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: FleetMetrics,
  ) {}

  note({ agentId, name, region }: AgentIdentity, visibility: Visibility): void {
    if ((visibility === 'blind') === this.blind.has(agentId)) return;
    if (visibility === 'blind') {
      this.blind.set(agentId, region);
      this.logger.warn(
        { agentId, region, agentName: name },
        'an agent is blind: it reaches none of its reference targets, so its failures are inconclusive',
      );
    } else {
      this.blind.delete(agentId);
      this.logger.info({ agentId, region, agentName: name }, 'an agent is no longer blind');
    }
    this.updateGauge();
  }

  forget(agentId: string): void {
    if (this.blind.delete(agentId)) this.updateGauge();
  }

  private updateGauge(): void {
    this.metrics.blind.reset();
    for (const region of this.blind.values()) this.metrics.blind.inc({ region });
  }
}
