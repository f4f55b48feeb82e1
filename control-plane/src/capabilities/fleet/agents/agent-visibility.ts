import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { AgentIdentity } from '../../../platform/grpc/index.js';
import type { AgentHeartbeat } from '@watchpost/shared/wire/messages';
import type { FleetMetrics } from '../fleet-metrics.js';

/** Which of the agents connected here say that they have lost their own network; said once, when it changes. */
export class AgentVisibility {
  private readonly blind = new Map<string, Region>();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: FleetMetrics,
  ) {}

  note({ agentId, name, region }: AgentIdentity, sight: AgentHeartbeat['visibility']): void {
    if ((sight === 'blind') === this.blind.has(agentId)) return;
    if (sight === 'blind') {
      this.blind.set(agentId, region);
      this.logger.warn(
        { agentId, region, agentName: name },
        'an agent has lost its network: what it fails at is inconclusive',
      );
    } else {
      this.blind.delete(agentId);
      this.logger.info({ agentId, region, agentName: name }, 'an agent sees its network again');
    }
    this.show();
  }

  forget(agentId: string): void {
    if (this.blind.delete(agentId)) this.show();
  }

  private show(): void {
    this.metrics.blind.reset();
    for (const region of this.blind.values()) this.metrics.blind.inc({ region });
  }
}
