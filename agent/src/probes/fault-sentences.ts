import { CHECK_FAULTS, type CheckFaultKey } from '@watchpost/shared/check';
import type { CheckFault } from '@watchpost/shared/checks/fault-kind';
import { OWN_FAULTS } from './own-faults.js';
import { REACH_FAULTS } from './reach-faults.js';

export type FaultKey = CheckFaultKey | keyof typeof REACH_FAULTS | keyof typeof OWN_FAULTS;

/**
 * Every fault of a check, with the sentence that an incident shows. docs/guides/check-faults.md lists the same sentences; a
 * test compares the two.
 */
export const FAULTS: Readonly<Record<FaultKey, CheckFault>> = { ...REACH_FAULTS, ...CHECK_FAULTS, ...OWN_FAULTS };
