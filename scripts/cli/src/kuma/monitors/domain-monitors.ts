import { parseUrl } from '@watchpost/shared/parse-url';
import type { Keys } from '../../import/names.js';
import { type Fields, flagOf, type Row, textOf } from '../../import/rows.js';
import type { SectionOf } from '../import-context.js';
import { type Installation, rowsOf } from '../installation.js';

const UNREAD = 'does not watch when its domain expires: Uptime Kuma has read no date of it';

/** Monitors of the domains whose expiry Uptime Kuma watches as a part of other monitors: one for each domain. */
export class DomainMonitors {
  /** The domains of which Uptime Kuma knows when they expire. */
  private readonly known: ReadonlySet<string>;
  private readonly found = new Map<string, { groups: Set<string>; isPaused: boolean }>();

  constructor(
    installation: Installation,
    private readonly thresholdDays: readonly number[],
  ) {
    const rows = rowsOf(installation, 'domain_expiry').filter((row) => textOf(row, 'expiry') !== null);
    this.known = new Set(rows.map((row) => (textOf(row, 'domain') ?? '').toLowerCase()));
  }

  /**
   * Adds the domain of a monitor that was taken over, where Uptime Kuma watches it.
   * @returns what is different here, as ends of sentences
   */
  add(row: Row, url: unknown, groups: readonly string[], isPaused: boolean): string[] {
    if (!flagOf(row, 'domain_expiry_notification') || typeof url !== 'string') return [];
    const labels = (parseUrl(url)?.hostname ?? url).toLowerCase().split('.');
    const domain = labels.map((_, at) => labels.slice(at).join('.')).find((name) => this.known.has(name));
    if (domain === undefined) return [UNREAD];
    const { groups: before = [], isPaused: wasPaused = true } = this.found.get(domain) ?? {};
    this.found.set(domain, { groups: new Set([...before, ...groups]), isPaused: wasPaused && isPaused });
    return [];
  }

  section(keys: Keys): SectionOf {
    const entries = [...this.found].map(([domain, { groups, isPaused }]): [string, Fields] => [
      keys.next(`domain ${domain}`, 'domain'),
      {
        name: `Domain ${domain}`,
        url: domain,
        monitorTypes: ['Domain'],
        domain: { expiryThresholdDays: [...this.thresholdDays], incidentDays: 0 },
        ...(isPaused ? { monitoringStatus: 'paused' } : {}),
        actionGroups: [...groups],
      },
    ]);
    return Object.fromEntries(entries);
  }
}
