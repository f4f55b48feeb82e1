import { Fault } from '@watchpost/shared/fault';
import type {
  Configured,
  ConfiguredObject,
  DocumentSection,
  SectionChange,
  SectionRun,
} from '../../platform/documents/document-section.js';
import { type Fields, isPlain, withoutNulls } from '../../platform/documents/fields.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { createMonitors } from './create-monitor.js';
import { deleteMonitor } from './delete-monitor.js';
import { describeSettings } from './settings/describe-settings.js';
import { announceChange, type MonitorDeps } from './monitor-deps.js';
import { ACCESS } from './monitor-routes.js';
import { monitorStore } from './monitor-store.js';
import { decideNewSettings } from './settings/decide-monitor-settings.js';
import {
  type MonitorCreateInput,
  monitorInputSchemas,
  type MonitorRules,
  type MonitorUpdateInput,
} from './settings/monitor-input-schemas.js';
import type { ChangedMonitors } from './refusals.js';
import { namedSecrets, openSecrets } from './settings/monitor-secrets.js';
import { DEFAULT_SETTINGS, type MonitorSecrets, type MonitorSettings } from './settings/monitor-settings.js';
import { urlTypeFaults } from './settings/monitor-url.js';
import { FIELDS_WITH_SECRETS } from './settings/secret-places.js';
import { updateMonitors } from './update-monitor.js';

/** Monitors in documents. Many are created and changed at a time, by a number of statements that does not grow with them. */
export function monitorSection(
  pool: MonitorDeps,
  rules: MonitorRules,
): DocumentSection<MonitorCreateInput, MonitorUpdateInput> {
  return {
    access: ACCESS,
    schemas: [monitorInputSchemas(rules)],
    configuredBy(input, { workspaceZone }) {
      const { settings, secrets } = decideNewSettings(input, workspaceZone);
      return configured(settings, secrets);
    },
    leftAlone: 'monitoringStatus',
    withUrl: [...FIELDS_WITH_SECRETS],
    least: leastOf,
    read: async (tx, workspaceId) => {
      const pause = inSlices();
      const monitors: ConfiguredObject[] = [];
      for (const row of await monitorStore.all(workspaceId, tx)) {
        await pause();
        monitors.push({ id: row.id, ...configured(row, openSecrets(pool.secretBox, row.id, row.sealedSecrets)) });
      }
      return monitors;
    },
    create: (run, changes) =>
      changeAll(pool, run, changes, (deps, asked) => createMonitors(deps, run.tx, run.actor, asked)),
    update: (run, changes) =>
      changeAll(pool, run, changes, (deps, asked) => updateMonitors(deps, run.tx, run.actor, asked)),
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteMonitor({ ...pool, db: run.db }, run.actor, id)),
  };
}

function leastOf({ name, url, monitorTypes, privateLocations, ssl, heartbeat }: Fields): Fields {
  if (isPlain(heartbeat)) return { name, monitorTypes, heartbeat: withoutNulls(heartbeat) };
  const isDefault = urlTypeFaults(url as string, DEFAULT_SETTINGS.monitorTypes).length === 0;
  return {
    name,
    url,
    ...(isDefault ? {} : { monitorTypes }),
    ...((ssl as MonitorSettings['ssl']).startTls === null ? {} : { ssl }),
    ...((privateLocations as unknown[]).length === 0 ? {} : { privateLocations }),
  };
}

async function changeAll<Input>(
  pool: MonitorDeps,
  run: SectionRun,
  changes: readonly SectionChange<Input>[],
  change: (deps: MonitorDeps, asked: { id: string; input: Input }[]) => Promise<ChangedMonitors>,
): Promise<void> {
  if (changes.length === 0) return;
  const deps = { ...pool, db: run.db };
  const done = await change(
    deps,
    changes.map(({ id, input }) => ({ id, input })),
  );
  for (const one of done.changes) announceChange(deps, one);
  const refused = new Map(changes.map((one, at) => [one, done.results[at]]));
  await run.each(
    changes.filter((one) => refused.get(one) instanceof Fault),
    (one) => Promise.reject(refused.get(one) as Fault),
  );
}

function configured(settings: MonitorSettings, secrets: MonitorSecrets): Configured {
  return { fields: describeSettings(settings), secrets: Object.fromEntries(namedSecrets(settings, secrets)) };
}
