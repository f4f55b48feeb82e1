import { networkInterfaces } from 'node:os';

const FAILING_HOSTS = 3;
const MAX_HOSTS = 16;
const ROUTE_FRESH_MS = 1_000;

/** Whether this machine has an address beyond its own loopback; without one it can reach nobody. */
export function hasOutsideAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some((address) => !address.internal && !address.address.startsWith('fe80:')));
}

/**
 * What the agent knows of its own network from what its checks meet. Lookups that fail for three hosts in a
 * row, with none in between that succeeds, are the resolver's fault and not those hosts'.
 */
export class OwnNetwork {
  private readonly failing = new Set<string>();
  private route = { checkedAt: -Infinity, there: true };

  constructor(
    private readonly now: () => number,
    private readonly hasAddress: () => boolean = hasOutsideAddress,
  ) {}

  /** To be called with each lookup that was really made. `answered`: also when the answer is that there is no such name. */
  lookup(host: string, answered: boolean): void {
    if (answered) this.failing.clear();
    else if (this.failing.size < MAX_HOSTS) this.failing.add(host);
  }

  get resolverIsDead(): boolean {
    return this.failing.size >= FAILING_HOSTS;
  }

  /** Looked at anew at most once a second, and only when somebody asks. */
  get hasRoute(): boolean {
    const now = this.now();
    if (now - this.route.checkedAt >= ROUTE_FRESH_MS) this.route = { checkedAt: now, there: this.hasAddress() };
    return this.route.there;
  }
}
