import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type {
  AlertPreview,
  NewAlertPreview,
} from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useState } from 'preact/hooks';
import { queryText, WHOLE } from '../../data/address.js';
import { change, readList, useResource } from '../../data/resources.js';
import { first, hasRole, pathTo } from '../../data/session.js';
import { toastFault } from '../../frame/toasts.js';
import { Button, Icon } from '../../parts/button.js';
import { ConfirmDialog, show } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { useChannels } from '../alerts/use-channels.js';
import { Choices } from '../../parts/inputs.js';

/** Shows who is notified of an incident that opens now, and lets one choose the channels. */
export function AlertsSection({ monitor: { id: monitorId, monitoringStatus } }: { monitor: MonitorView }) {
  const isOff = monitoringStatus !== 'enabled';
  const preview = useResource<AlertPreview>(`/api/v1/monitor/${monitorId}/alert-preview`);
  const choose = (groups: readonly { id: string }[]) =>
    show(<GroupsDialog monitorId={monitorId} attached={groups.map(({ id }) => id)} />);
  return (
    <Section
      title="Who hears if it fails"
      aside={
        hasRole('Editor') &&
        preview.data !== undefined && (
          <Button text="Channels" look="plain" icon="edit" onClick={() => choose(preview.data!.groups)} />
        )
      }
    >
      <div class="card card-body">
        <Loaded of={preview} rows={2}>
          {(data) => (
            <>
              <WhoHears preview={data} isOff={isOff} />
              {!isOff && !data.willAnyoneHear && hasRole('Editor') && (
                <AlertMe onMade={(id) => attachGroups(monitorId, [id], [])} />
              )}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  );
}

function GroupsDialog({ monitorId, attached }: { monitorId: string; attached: readonly string[] }) {
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  const [wanted, setWanted] = useState<readonly string[]>(attached);
  return (
    <ConfirmDialog
      title="Channels of this monitor"
      action="Save"
      isDanger={false}
      needs={[groups]}
      onConfirm={() => attachGroups(monitorId, wanted, attached)}
    >
      <Loaded of={groups}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">
              The workspace has none yet. <a href={pathTo('/alerts')}>Set up alerts</a>
            </p>
          ) : (
            <GroupChoices groups={all} values={wanted} onChange={setWanted} />
          )
        }
      </Loaded>
    </ConfirmDialog>
  );
}

/** One button, shown where nobody would hear, adds a channel to the mailbox of the reader, or the one that is there. */
export function AlertMe({ onMade }: { onMade: (groupId: string) => unknown }) {
  const [isBusy, setBusy] = useState(false);
  const email = first?.user.email;
  if (!email) return <a href={pathTo('/alerts')}>Set up alerts</a>;
  const add = async () => {
    // Read now, so that no second group is made for the mailbox.
    const { body: groups } = await readList<ActionGroupView[]>(`/api/v1/action-groups${queryText(WHOLE)}`);
    const own = groups.find(
      ({ type, isEnabled, recipients }) => isEnabled && type === 'email' && String(recipients) === email,
    );
    const body = { name: 'Me', recipients: [email] };
    await onMade((own ?? (await change<ActionGroupView>('POST', '/api/v1/action-groups/email', { body })).body).id);
  };
  return (
    <Button
      text="Alert me"
      label={`Alert me at ${email}`}
      icon="alerts"
      isBusy={isBusy}
      onClick={() => {
        setBusy(true);
        void add()
          .catch(toastFault)
          .finally(() => setBusy(false));
      }}
    />
  );
}

/** Attaches what is wanted and not attached, and detaches what is attached and not wanted. */
export async function attachGroups(
  monitorId: string,
  wanted: readonly string[],
  attached: readonly string[],
): Promise<void> {
  const at = (id: string) => `/api/v1/action-groups/${id}/monitors/${monitorId}`;
  for (const id of wanted) if (!attached.includes(id)) await change('POST', at(id));
  for (const id of attached) if (!wanted.includes(id)) await change('DELETE', at(id));
}

/**
 * Shows who is notified of an incident that opens now, in order, and what prevents it.
 * @param isOff the monitor is paused or disabled: these are notified once it is resumed
 */
export function WhoHears({ preview, isOff = false }: { preview: AlertPreview | NewAlertPreview; isOff?: boolean }) {
  const { willAnyoneHear, groups, teams, reasons } = preview;
  const channels = useChannels();
  return (
    <div class="who-hears lines gap-3">
      <p class={willAnyoneHear || isOff ? undefined : 'state-unavailable'}>
        <strong>{isOff ? 'Nobody while it is paused. Once it is resumed:' : sentence(preview)}</strong>
      </p>
      <ol class="who-hears-list list lines gap-2">
        {groups.map(({ id, name, type, destinations, hears }) => (
          <li key={id} class={hears && !isOff ? undefined : 'is-off'}>
            <Icon name="alerts" />
            <span>
              {name} <span class="soft">at once, {channels.nameOf(type)}</span>
              {destinations.length > 0 && <span class="soft small block">{destinations.join(', ')}</span>}
            </span>
          </li>
        ))}
        {teams.flatMap(({ teamId, teamName, steps }) =>
          steps
            .filter(({ people }) => people.length > 0)
            .map(({ afterMinutes, who, people }, place) => (
              <li key={`${teamId} ${place}`}>
                <Icon name={who === 'leads' ? 'person' : 'on-call'} />
                <span>
                  {people.map(({ name }) => name ?? 'somebody without a name').join(', ')}{' '}
                  <span class="soft">
                    {afterMinutes === 0 ? 'at once' : `after ${afterMinutes} min without acknowledgement`},{' '}
                    {who === 'leads' ? `lead of ${teamName}` : who === 'onCall' ? `on call for ${teamName}` : teamName}
                  </span>
                </span>
              </li>
            )),
        )}
      </ol>
      {reasons.length > 0 && (
        <ul class="indent lines gap-1 soft small">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function sentence({ willAnyoneHear, willAnyoneBePaged }: NewAlertPreview): string {
  if (willAnyoneBePaged) return 'A person is paged.';
  return willAnyoneHear ? 'Channels are alerted; nobody is on call.' : 'Nobody will hear if it fails.';
}

/** The action groups of the workspace, of which some are chosen. */
export function GroupChoices(props: {
  groups: readonly ActionGroupView[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Those that a new monitor is given. */
  defaults?: readonly string[];
}) {
  const { groups, defaults = [], ...choice } = props;
  const options = groups.map(({ id, name, type, isEnabled }) => ({
    value: id,
    label: (
      <>
        {name}{' '}
        <span class="soft small">
          {type}
          {isEnabled ? '' : ', disabled'}
          {defaults.includes(id) ? ', default' : ''}
        </span>
      </>
    ),
  }));
  return <Choices label="Channels" options={options} {...choice} />;
}
