import { ANONYMOUS_OWNER, type Tenancy } from '@watchpost/shared/fair-share';

export interface EvidenceLimits {
  /** The whole budget of an owner, bytes. */
  burstBytes: number;
  /** How fast it is restored while results wait for the control plane, bytes a second. */
  bytesPerSecond: number;
  /** How fast it is restored otherwise, bytes a second. */
  connectedBytesPerSecond: number;
}

/** Results up to this size cost no budget: they have no evidence and no details. */
const PLAIN_BYTES = 512;
/** Above this number, owners with their whole budget are forgotten. */
const MANY_OWNERS = 1_000;
/** The least time in which one owner can fill the spool. */
const SPOOL_SECONDS = 8 * 3_600;
const BURST_SHARE = 1 / 64;
/** The certificates of 40 SSL checks a second, or one repeated failure with all its evidence a second. */
const CONNECTED_BYTES_PER_SECOND = 131_072;

/** @param spoolBytes the size of the spool, which all owners share while the control plane is away */
export function evidenceLimits(spoolBytes: number): EvidenceLimits {
  const bytesPerSecond = spoolBytes / SPOOL_SECONDS;
  return {
    burstBytes: spoolBytes * BURST_SHARE,
    bytesPerSecond,
    connectedBytesPerSecond: Math.max(bytesPerSecond, CONNECTED_BYTES_PER_SECOND),
  };
}

/**
 * Limits the evidence and details of each owner in the spool and on the stream. A result has up to 96 KiB of them, and 100
 * bytes without: 200 monitors of one owner could displace the results of all others from the spool within an hour.
 */
export class EvidenceBudget {
  /** The rest of each budget at a time of the caller's clock: of the owners of this agent's checks. */
  private readonly owners = new Map<string, { bytes: number; atMs: number }>();

  /** @param hasBacklog whether results wait for the control plane */
  constructor(
    private readonly limits: EvidenceLimits,
    private readonly hasBacklog: () => boolean,
  ) {}

  /**
   * Takes the size of a result from its owner's budget.
   * @param isRepeated whether the check failed before: half of a budget is reserved for new failures
   * @returns whether the result may keep its evidence and details
   */
  take({ ownerKey = ANONYMOUS_OWNER }: Tenancy, size: number, isRepeated: boolean, nowMs: number): boolean {
    if (size <= PLAIN_BYTES) return true;
    const { burstBytes } = this.limits;
    const left = this.left(ownerKey, nowMs);
    if (left - size < (isRepeated ? burstBytes / 2 : 0)) return false;
    this.owners.set(ownerKey, { bytes: left - size, atMs: nowMs });
    if (this.owners.size > MANY_OWNERS) this.forgetIdle(nowMs);
    return true;
  }

  private left(ownerKey: string, nowMs: number): number {
    const { burstBytes } = this.limits;
    const known = this.owners.get(ownerKey);
    if (!known) return burstBytes;
    const seconds = Math.max(0, nowMs - known.atMs) / 1_000;
    const bytesPerSecond = this.hasBacklog() ? this.limits.bytesPerSecond : this.limits.connectedBytesPerSecond;
    return Math.min(burstBytes, known.bytes + seconds * bytesPerSecond);
  }

  private forgetIdle(nowMs: number): void {
    for (const ownerKey of this.owners.keys())
      if (this.left(ownerKey, nowMs) >= this.limits.burstBytes) this.owners.delete(ownerKey);
  }
}
