import { finishDocument, type Imported } from '../import/finish-document.js';
import { convertMaintenance } from './convert-maintenance.js';
import { convertNotifications } from './convert-notifications.js';
import { convertStatusPages } from './convert-status-pages.js';
import type { ImportContext, SectionOf } from './import-context.js';
import { ImportReport } from '../import/import-report.js';
import { countOf } from '../output/format-time.js';
import { rowsOf } from './installation.js';
import { jsonOf, numberFrom, textOf } from '../import/rows.js';
import { convertMonitors } from './monitors/convert-monitors.js';
import { Secrets } from '../import/names.js';
import { readBackup } from './read-backup.js';
import { isSqlite, readSqlite } from './read-sqlite.js';
import { reportRest } from './report-rest.js';

export { UnreadableFile } from '../import/rows.js';

/** When Uptime Kuma warns about certificates and domains where nothing else was chosen. */
const USUAL_THRESHOLDS = [21, 14, 7];
const MOST_THRESHOLDS = 10;

export interface ImportOptions {
  /** Windows begin after it. */
  nowMs: number;
  /** Whether the document contains the secrets themselves. */
  withSecrets?: boolean;
  /** As in `ImportContext`. */
  appriseApiUrl?: string | undefined;
}

/**
 * Makes a configuration document of an installation of Uptime Kuma.
 * @param bytes the SQLite file of 1.x or 2.x, or the JSON backup of 1.x
 * @throws UnreadableFile
 */
export async function importUptimeKuma(
  bytes: Uint8Array,
  { nowMs, withSecrets = false, appriseApiUrl }: ImportOptions,
): Promise<Imported> {
  const installation = isSqlite(bytes) ? await readSqlite(bytes) : readBackup(bytes);
  const report = new ImportReport();
  const context: ImportContext = {
    installation,
    report,
    secrets: new Secrets('KUMA', withSecrets),
    nowMs,
    appriseApiUrl,
  };
  const notifications = convertNotifications(context);
  const monitors = convertMonitors(
    context,
    notifications.ofMonitors,
    thresholdsOf(context, 'tlsExpiryNotifyDays'),
    thresholdsOf(context, 'domainExpiryNotifyDays'),
  );
  const pages = convertStatusPages(context, monitors.taken);
  const windows = convertMaintenance(context, { ...monitors, monitors: monitors.taken, pages: pages.keys });
  reportRest(context);
  const sections: Record<string, SectionOf> = {
    actionGroups: notifications.section,
    monitors: monitors.section,
    statusPages: pages.section,
    maintenanceWindows: windows,
  };
  reportNeeds(context, sections);
  return finishDocument('uptime-kuma', sections, context);
}

/** The days before the end of a certificate, or of a domain, at which people are warned: those of a setting. */
function thresholdsOf({ installation }: ImportContext, key: string): number[] {
  const row = rowsOf(installation, 'setting').find((setting) => textOf(setting, 'key') === key);
  const list = row && jsonOf(row, 'value');
  const days = (Array.isArray(list) ? list : USUAL_THRESHOLDS).map((day) => numberFrom(day) ?? 0);
  const sound = [...new Set(days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 365))];
  return sound.toSorted((a, b) => b - a).slice(0, MOST_THRESHOLDS);
}

function reportNeeds({ report }: ImportContext, sections: Record<string, SectionOf>): void {
  const monitors = Object.values(sections['monitors']!);
  const types = [
    ...new Set(monitors.flatMap(({ monitorTypes }) => (monitorTypes as string[] | undefined) ?? ['HttpAvailability'])),
  ];
  const groups = Object.values(sections['actionGroups']!).map(({ type }) => String(type));
  const ofType = [...new Set(groups)].map((type) => `${type} ${groups.filter((one) => one === type).length}`);
  const groupsText = ofType.length === 0 ? '' : `, action groups: ${ofType.toSorted().join(', ')}`;
  if (monitors.length > 0)
    report.add(
      `the plan must include: ${countOf(monitors.length, 'monitor')} (${types.toSorted().join(', ')})${groupsText}`,
    );
}
