import { createEgressPolicy, type EgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import type { PlaceEgress } from '@watchpost/shared/wire/messages';

/** What the agent's own configuration permits. */
export interface ConfiguredEgress {
  monitorEgress: EgressPolicy;
  publicEgress: EgressPolicy;
  /** Refused in every place, whatever the control plane allows. */
  denyCidrs: readonly string[];
}

/**
 * Where checks may connect to: by the agent's configuration, or, in a private location, by what the control plane sends. It changes
 * while the agent runs.
 */
export class EgressOfPlace {
  private location: EgressPolicy | null = null;
  readonly monitor: EgressPolicy;
  readonly public: EgressPolicy;

  constructor(private readonly configured: ConfiguredEgress) {
    this.monitor = this.orLocation(configured.monitorEgress);
    this.public = this.orLocation(configured.publicEgress);
  }

  /** @param egress undefined in a region */
  set(egress: PlaceEgress | undefined): void {
    const { denyCidrs } = this.configured;
    this.location = egress
      ? createEgressPolicy({
          ...egress,
          denyCidrs: [...denyCidrs, ...egress.denyCidrs],
          ownAddresses,
          isLocation: true,
        })
      : null;
  }

  private orLocation(configured: EgressPolicy): EgressPolicy {
    return {
      allows: (address) => (this.location ?? configured).allows(address),
      why: (address) => (this.location ?? configured).why(address),
      refusal: (host) => (this.location ?? configured).refusal(host),
    };
  }
}
