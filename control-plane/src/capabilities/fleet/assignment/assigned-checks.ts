import { possibleCodes } from '@watchpost/shared/check';
import { ownerOf, type Ownership } from '../members/decide-owner.js';

/** The codes of the checks that were assigned to an agent on its present stream. */
export class AssignedChecks {
  private assigned = new Set<number>();

  get size(): number {
    return this.assigned.size;
  }

  get codes(): ReadonlySet<number> {
    return this.assigned;
  }

  add(code: number): void {
    this.assigned.add(code);
  }

  delete(code: number): void {
    this.assigned.delete(code);
  }

  replace(codes: Set<number>): void {
    this.assigned = codes;
  }

  ofMonitor(monitorKey: number): number[] {
    return possibleCodes(monitorKey).filter((code) => this.assigned.has(code));
  }

  /** The checks that have another owner. */
  notOwnedBy(agentId: string, { owners }: Ownership): number[] {
    return [...this.assigned].filter((code) => ownerOf(owners, code) !== agentId);
  }
}
