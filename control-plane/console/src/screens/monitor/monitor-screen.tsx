import { MINUTE_MS } from '@watchpost/shared/time';
import { NotThere, useKeys, Screen } from '../../frame/screen.js';
import { factsOf } from '@watchpost/shared/monitor-types';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { faultOfField } from '../../data/api-fault.js';
import { useResource } from '../../data/resources.js';
import { now, nowMs } from '../../data/clock.js';
import { pauseOrResume } from '../../frame/acting.js';
import { first, hasRole, pathTo } from '../../data/session.js';
import { toastFault } from '../../frame/toasts.js';
import { useDelete } from '../../parts/use-delete.js';
import { Age, StateMark, Time } from '../../parts/marks.js';
import { Button } from '../../parts/button.js';
import { Chips, Section, SidePanel } from '../../parts/section.js';
import { durationMs, durationText } from '../../parts/format.js';
import { Loaded, Skeleton, WhenSeen } from '../../parts/loaded.js';
import { MoreMenu } from '../../parts/menu.js';
import { stateOf, stateWord } from '../../parts/state.js';
import { AddressesSection } from './addresses-section.js';
import { AlertsSection } from './alerts-section.js';
import { AvailabilitySection } from './availability-section.js';
import { CertificateSection } from './certificate-section.js';
import { DomainSection } from './domain-section.js';
import { DnsSection } from './dns-section.js';
import { DependsOn } from './depends-on.js';
import type * as Changing from '../changing.js';
import { IncidentsSection } from './incidents-section.js';
import { InMaintenance, maintenanceItems } from './maintenance.js';
import { LatencySection } from './latency-section.js';
import { valuesOf } from './monitor-values.js';
import { PingUrlSection, PingsSection } from './pings-section.js';
import { readRange } from './range.js';
import { ResultsSection } from './results-section.js';
import { stateSentence } from './state-sentence.js';
import { readTarget } from './target.js';
import { TargetResult, useTargetTest } from './target-result.js';
import { Waterfall } from './waterfall.js';
import type { Run } from './waterfall-rows.js';
import { usePlaces, usePlan } from './reading.js';

/** How long after a check is due its result is there, as a rule. */
const AFTER_CHECK_MS = 2_500;
/** While the first check is awaited. */
const FIRST_CHECK_MS = 2_000;

export function MonitorScreen({ params }: { params: Record<string, string> }) {
  const id = params['id'] ?? '';
  const monitor = useResource<MonitorView>(`/api/v1/monitor/${encodeURIComponent(id)}`);
  const { data, fault } = monitor;
  // Changes of state have an event; the time of the latest check moves on without one.
  const next = data?.nextCheck ?? null;
  const isAwaited =
    data?.monitoringStatus === 'enabled' &&
    !data.monitorTypes.includes('Domain') &&
    (data.heartbeat === null ? data.lastChecked : data.heartbeat.lastPing) === null;
  useEffect(() => {
    if (next === null && !isAwaited) return;
    const waitMs = Math.max(FIRST_CHECK_MS, isAwaited ? 0 : Date.parse(next!) - nowMs() + AFTER_CHECK_MS);
    const timer = setTimeout(monitor.reload, waitMs);
    return () => clearTimeout(timer);
  }, [next, isAwaited, monitor.receivedMs]);

  if (data !== undefined && fault?.status !== 404) {
    return <Shown key={data.id} monitor={data} etag={monitor.etag} receivedMs={monitor.receivedMs} />;
  }
  return (
    <NotThere
      title="Monitor"
      of={monitor}
      rows={8}
      kind="monitor"
      all={pathTo('/monitors')}
      why="It was deleted, or it belongs to another workspace."
    />
  );
}

function Shown({ monitor, etag, receivedMs }: { monitor: MonitorView; etag: string | null; receivedMs: number }) {
  const { url, route } = useLocation();
  const askToDelete = useDelete();
  const params = paramsOf(url);
  const isEditing = params.has('edit') && hasRole('Editor');
  const changing = useChanging(isEditing);
  const plan = usePlan();
  const placeOf = usePlaces();
  const test = useTargetTest();
  // To the minute, so that answers of a range are shared while it is shown.
  const range = readRange(params, Math.floor(now.value / MINUTE_MS) * MINUTE_MS);
  const { id, name, monitoringStatus, monitorTypes, heartbeat } = monitor;
  const isDomain = monitorTypes.includes('Domain');
  const isRunning = monitoringStatus === 'enabled';
  const isTestable = monitorTypes.some((type) => factsOf(type).kind !== null);

  const edit = (isOn: boolean) => route(addressWith(url, { edit: isOn ? 'on' : undefined }), true);
  const runTest = () => {
    const target = readTarget(monitor.url ?? '');
    if (target === undefined) toastFault(faultOfField('url', 'Nothing to test.'));
    else test.run(target, valuesOf(monitor, first!.monitorForm));
  };
  const remove = () =>
    askToDelete({
      name,
      path: `/api/v1/monitor/${id}`,
      back: pathTo('/monitors'),
      typedName: name,
      consequences: [
        'Its results and reports are erased after a week.',
        'Its open incidents are closed; closed ones stay as history of the workspace.',
        'It disappears from status pages and from its service group.',
        'Checks stop at once. This cannot be undone.',
      ],
    });
  useKeys([
    { key: 'p', label: 'Pause or resume the monitor', run: () => void pauseOrResume(monitor) },
    { key: 'e', label: 'Edit the monitor', run: () => hasRole('Editor') && edit(true) },
    {
      key: 't',
      label: 'Test it now',
      run: () => hasRole('Editor') && isTestable && runTest(),
    },
  ]);

  return (
    <Screen
      title={
        <span class="monitor-title row">
          {name} <StateMark state={stateOf(monitor)} word={stateWord(monitor)} />
          <Age receivedMs={receivedMs} />
        </span>
      }
      documentTitle={name}
      actions={
        hasRole('Editor') &&
        !isEditing && (
          <>
            {isTestable && <Button text="Test now" icon="refresh" isBusy={test.isRunning()} onClick={runTest} />}
            <Button
              text={isRunning ? 'Pause' : 'Resume'}
              icon={isRunning ? 'pause' : 'play'}
              onClick={() => void pauseOrResume(monitor)}
            />
            <Button text="Edit" icon="edit" onClick={() => edit(true)} />
            <MoreMenu
              label="More actions"
              look=""
              items={[
                { label: 'Duplicate', icon: 'copy', href: pathTo('/monitors/new', { from: id }) },
                ...maintenanceItems(monitor),
                { label: 'Delete', icon: 'trash', isDanger: true, onSelect: remove },
              ]}
            />
          </>
        )
      }
      lead={<Lead monitor={monitor} sentence={stateSentence(monitor, placeOf, now.value)} />}
    >
      {test.target.value !== undefined && !isEditing && (
        <SidePanel title="Test" onClose={test.close}>
          <TargetResult test={test} />
        </SidePanel>
      )}
      {isEditing ? (
        <Loaded of={plan} rows={10}>
          {(data) =>
            changing ? (
              <changing.EditMonitor monitor={monitor} etag={etag} plan={data} onClose={() => edit(false)} />
            ) : (
              <Skeleton rows={10} />
            )
          }
        </Loaded>
      ) : (
        <>
          {heartbeat !== null && (
            <Section title="How the job reports">
              <PingUrlSection monitor={monitor} />
            </Section>
          )}
          <AvailabilitySection monitor={monitor} range={range} />
          <div class="monitor-beside">
            <IncidentsSection monitorId={id} />
            <AlertsSection monitor={monitor} />
          </div>
          {monitorTypes.some((type) => ![null, 'ssl', 'dns'].includes(factsOf(type).kind)) &&
            later('Latency', 6, () => <LatencySection monitor={monitor} range={range} />)}
          {(monitor.latestTestResult as Run | null)?.steps &&
            later('Steps of the latest check', 6, () => (
              <Waterfall run={monitor.latestTestResult!} steps={monitor.http.steps} />
            ))}
          {monitor.addresses.length + monitor.addressWarnings.length > 0 &&
            later('Addresses', 4, () => <AddressesSection monitor={monitor} />)}
          {monitorTypes.includes('SslCertificate') &&
            later('Certificate', 4, () => <CertificateSection monitorId={id} />)}
          {monitorTypes.includes('Dns') && later('DNS', 4, () => <DnsSection monitorId={id} />)}
          {isDomain && later('Domain', 4, () => <DomainSection monitorId={id} />)}
          {heartbeat === null
            ? !isDomain && later('Results', 12, () => <ResultsSection monitor={monitor} range={range} />)
            : later('Reports of the job', 4, () => <PingsSection monitor={monitor} range={range} />)}
        </>
      )}
    </Screen>
  );
}

/** The state in a sentence, and what is watched. */
function Lead({ monitor, sentence }: { monitor: MonitorView; sentence: string }) {
  const { url, monitorTypes, tags, planRestricted, latestIncident, dependsOn } = monitor;
  const isOngoing = latestIncident?.ended === null;
  return (
    <>
      <p class="pretty" role="status">
        {sentence}
        {isOngoing && (
          <>
            {' '}
            <a href={pathTo(`/incidents/${latestIncident.id}`)}>Evidence</a>
          </>
        )}
      </p>
      <p class="gap-1-4 above-2 wrap center soft small">
        {url === null ? null : /^https?:/.test(url) ? (
          <a href={url} rel="noreferrer noopener" target="_blank">
            {url}
          </a>
        ) : (
          <span class="mono">{url}</span>
        )}
        <span>
          {monitorTypes.map((type) => factsOf(type).label).join(', ')} {rhythmText(monitor)}
        </span>
        {!monitorTypes.includes('Domain') && <Latest monitor={monitor} />}
        {dependsOn.length > 0 && <DependsOn ids={dependsOn} />}
        {tags.length > 0 && <Chips values={tags} hrefOf={(tag) => pathTo('/monitors', { tag })} />}
      </p>
      <InMaintenance monitor={monitor} />
      {planRestricted.length > 0 && (
        <p class="note note-partial">Your plan does not cover {planRestricted.join(', ')}: it is kept and not run.</p>
      )}
    </>
  );
}

/** `every 5 min`; of a heartbeat also how late a report may be. */
function rhythmText({ checkInterval, heartbeat, monitorTypes }: MonitorView): string {
  if (monitorTypes.includes('Domain')) return 'every 12 h';
  const text = (duration: string) => durationText(durationMs(duration) ?? 0);
  if (heartbeat === null) return `every ${text(checkInterval)}`;
  const { every, cron, timezone, grace } = heartbeat;
  return `${every === null ? `by ${cron} in ${timezone}` : `every ${text(every)}`}, ${text(grace)} of grace`;
}

/** @returns the script of the form once it is there, which is loaded where it is needed */
function useChanging(isNeeded: boolean): typeof Changing | undefined {
  const [script, setScript] = useState<typeof Changing>();
  useEffect(() => {
    if (isNeeded) void import('../changing.js').then(setScript, toastFault);
  }, [isNeeded]);
  return script;
}

function Latest({ monitor: { lastChecked, heartbeat } }: { monitor: MonitorView }) {
  const at = heartbeat === null ? lastChecked : heartbeat.lastPing;
  if (at === null) return <span>{heartbeat === null ? 'Not checked yet' : 'Not reported yet'}</span>;
  return (
    <span>
      {heartbeat === null ? 'Checked' : 'Reported'} <Time at={at} />
    </span>
  );
}

/** @returns a part that is read once it is seen */
function later(title: string, rows: number, draw: () => ComponentChildren) {
  return (
    <Section title={title}>
      <WhenSeen rows={rows}>{draw}</WhenSeen>
    </Section>
  );
}
