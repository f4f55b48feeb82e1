import type { Region } from '@watchpost/shared/region';
import type { AssertionReading } from './decide-assertions.js';
import type { LatencyReading } from './decide-latency.js';

/** Successful checks are judged by these readings; absent: they are not judged by it. */
export interface SuccessReadings {
  latency?: LatencyReading;
  assertions?: AssertionReading;
}

/** On which side the verdict has the successful checks of a region. */
export interface Side {
  isSlow: boolean;
  isWarning: boolean;
}

/**
 * Decides whether all checks in a region's windows are on the side that the verdict assumes: then further checks on that side change
 * nothing.
 */
export function isOneSided({ latency, assertions }: SuccessReadings, region: Region, side: Side): boolean {
  const ofLatency = latency?.windows.get(region) ?? [];
  const ofAssertions = assertions?.windows.get(region) ?? [];
  return (
    ofLatency.every(({ totalUs }) => totalUs > latency!.settings.thresholdMs * 1_000 === side.isSlow) &&
    ofAssertions.every(({ warning }) => (warning !== null) === side.isWarning)
  );
}
