import { possibleCodes } from '@watchpost/shared/check';
import { ownerOf } from '../members/decide-owner.js';
import type { Ownership } from '../members/decide-owner.js';

/** The checks that an agent was told of on its stream, by their codes. */
export class HeldChecks {
  private codes = new Set<number>();

  get size(): number {
    return this.codes.size;
  }
  get all(): ReadonlySet<number> {
    return this.codes;
  }

  has(code: number): boolean {
    return this.codes.has(code);
  }

  add(code: number): void {
    this.codes.add(code);
  }

  delete(code: number): void {
    this.codes.delete(code);
  }

  /** It has exactly these. */
  replace(codes: Set<number>): void {
    this.codes = codes;
  }

  ofMonitor(monitorKey: number): number[] {
    return possibleCodes(monitorKey).filter((code) => this.codes.has(code));
  }

  /** Those that the agent does not own. */
  lostBy(agentId: string, { owners }: Ownership): number[] {
    return [...this.codes].filter((code) => ownerOf(owners, code) !== agentId);
  }
}
