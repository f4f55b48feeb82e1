import type { Tx } from '../../platform/db/database.js';
import { domainSettings } from '../monitors/index.js';
import type { DomainSettings } from './decide-domain.js';
import type { DomainReading } from './decide-reading.js';
import { domainStore } from './domain-store.js';

/** The domain of a monitor, as it is known, and the monitor's settings for it. */
export interface DomainSubject {
  name: string;
  /** Null before the first query is planned. */
  reading: DomainReading | null;
  settings: DomainSettings;
}

/** The domains of those of these monitors that are of type Domain, by key. */
export async function readDomains(tx: Tx, monitorKeys: readonly number[]): Promise<ReadonlyMap<number, DomainSubject>> {
  if (monitorKeys.length === 0) return new Map();
  const rows = await domainStore.subjects(tx, monitorKeys);
  return new Map(
    rows.map(({ monitorKey, name, settings, reading }) => [
      monitorKey,
      { name, reading, settings: { ...domainSettings.defaults, ...settings } },
    ]),
  );
}
