import { invalidFields } from '@watchpost/shared/fault';
import type { DecidedSettings } from './decide-monitor-settings.js';

/** @throws Fault validation_failed naming every setting that contradicts another */
export function requireConsistentSettings({ faults }: Pick<DecidedSettings, 'faults'>): void {
  if (faults.length > 0) throw invalidFields(faults);
}
