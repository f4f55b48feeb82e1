import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type {
  AlertPreview,
  NewAlertPreview,
} from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { Icon } from '../../parts/button.js';
import { useChannels } from '../alerts/use-channels.js';
import { Choices } from '../../parts/inputs.js';

/** Who is notified of an incident that opens now, in order, and what prevents it. */
export function WhoHears({ preview }: { preview: AlertPreview | NewAlertPreview }) {
  const { willAnyoneHear, groups, teams, reasons } = preview;
  const channels = useChannels();
  return (
    <div class="who-hears">
      <p class={willAnyoneHear ? undefined : 'state-unavailable'}>
        <strong>{sentence(preview)}</strong>
      </p>
      <ol class="who-hears-list list lines gap-2">
        {groups.map(({ id, name, type, destinations, hears }) => (
          <li key={id} class={hears ? undefined : 'is-off'}>
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
            .map(({ afterMinutes, who, people }) => (
              <li key={`${teamId} ${afterMinutes}`}>
                <Icon name={who === 'leads' ? 'person' : 'on-call'} />
                <span>
                  {people.map(({ name }) => name ?? 'somebody without a name').join(', ')}{' '}
                  <span class="soft">
                    {afterMinutes === 0 ? 'at once' : `after ${afterMinutes} min without acknowledgement`},{' '}
                    {who === 'leads' ? `lead of ${teamName}` : `on call for ${teamName}`}
                  </span>
                </span>
              </li>
            )),
        )}
      </ol>
      {reasons.length > 0 && (
        <ul class="who-hears-reasons lines gap-1 soft small">
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
  return <Choices label="Action groups" options={options} {...choice} />;
}
