import { checkCode } from '@watchpost/shared/check';
import { CheckResult as WireResult } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { keyFromWire } from '@watchpost/shared/wire/check-spec';
import type { IsCompleted } from '../schedule/check-timing.js';

/** Scheduled times older than this are never caught up on. */
const RECENT_MS = 120_000;

/** The scheduled times that an agent completed before its restart, from the results in its spool. */
export class CompletedTimes {
  /** At most what the spool had of the last two minutes. */
  private readonly timesByCheck = new Map<number, Set<number>>();

  constructor(private readonly nowMs: number) {}

  /** Takes a spooled result; to be called with every one. @throws where the payload is no result */
  readonly visit = (payload: Uint8Array, fileModifiedMs: number): void => {
    if (fileModifiedMs < this.nowMs - RECENT_MS) return;
    const { key: wireKey, scheduledAtMs: wireTime } = WireResult.decode(payload);
    const scheduledAtMs = Number(wireTime);
    if (!wireKey || scheduledAtMs < this.nowMs - RECENT_MS) return;
    const code = checkCode(keyFromWire(wireKey));
    const times = this.timesByCheck.get(code);
    if (times) times.add(scheduledAtMs);
    else this.timesByCheck.set(code, new Set([scheduledAtMs]));
  };

  readonly isCompleted: IsCompleted = (code, scheduledAtMs) => this.timesByCheck.get(code)?.has(scheduledAtMs) ?? false;
}
