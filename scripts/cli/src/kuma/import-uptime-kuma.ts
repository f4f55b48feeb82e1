import { MIB, MOST_DOCUMENT_MIB } from '@watchpost/shared/document-limits';
import { writeYaml } from '@watchpost/shared/write-yaml';
import { convertMaintenance } from './convert-maintenance.js';
import { convertNotifications } from './convert-notifications.js';
import { convertStatusPages } from './convert-status-pages.js';
import type { ImportContext, SectionOf } from './import-context.js';
import { ImportReport } from './import-report.js';
import { countOf } from '../output/count-of.js';
import { jsonOf, numberFrom, rowsOf, textOf } from './installation.js';
import { convertMonitors } from './monitors/convert-monitors.js';
import { Secrets } from './names.js';
import { readBackup } from './read-backup.js';
import { isSqlite, readSqlite } from './read-sqlite.js';
import { reportRest } from './report-rest.js';

export { UnreadableFile } from './installation.js';

/** When Uptime Kuma warns about certificates where nothing else was chosen. */
const USUAL_THRESHOLDS = [21, 14, 7];
const MOST_THRESHOLDS = 10;
/** Bytes that the control plane takes. */

export interface UptimeKumaImport {
  /** A configuration document in YAML, with secrets as `{ env: NAME }`. */
  document: string;
  /** One line for each item that is not in the document, or only in part, and why. It contains no secrets. */
  report: string[];
  /** The values of the environment variables that the document names. */
  environment: Readonly<Record<string, string>>;
}

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
): Promise<UptimeKumaImport> {
  const installation = isSqlite(bytes) ? await readSqlite(bytes) : readBackup(bytes);
  const report = new ImportReport();
  const context: ImportContext = { installation, report, secrets: new Secrets(withSecrets), nowMs, appriseApiUrl };
  const notifications = convertNotifications(context);
  const monitors = convertMonitors(context, notifications.ofMonitors, thresholdsOf(context));
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
  const filled = Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0);
  const content = { apiVersion: 'watchpost/v1', project: 'uptime-kuma', ...Object.fromEntries(filled) };
  const document = writeYaml(content);
  if (Buffer.byteLength(document) > MOST_DOCUMENT_MIB * MIB)
    report.add(
      `the document has more than ${MOST_DOCUMENT_MIB} MiB: divide it into several with a \`project\` of their own`,
    );
  return { document, report: report.lines, environment: context.secrets.environment };
}

/** The days before the end of a certificate at which people are warned. */
function thresholdsOf({ installation }: ImportContext): number[] {
  const row = rowsOf(installation, 'setting').find((setting) => textOf(setting, 'key') === 'tlsExpiryNotifyDays');
  const list = row && jsonOf(row, 'value');
  const days = (Array.isArray(list) ? list : USUAL_THRESHOLDS).map((day) => numberFrom(day) ?? 0);
  const sound = [...new Set(days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 365))];
  return sound.toSorted((a, b) => b - a).slice(0, MOST_THRESHOLDS);
}

/** What the plan has to include, and the variables that have to be set. */
function reportNeeds({ report, secrets }: ImportContext, sections: Record<string, SectionOf>): void {
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
  const variables = Object.keys(secrets.environment);
  if (variables.length > 0)
    report.add(`the document names ${countOf(variables.length, 'environment variable')}: ${variables.join(', ')}`);
}
