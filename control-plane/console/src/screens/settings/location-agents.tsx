import { change, useResource } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button, CopyButton } from '../../parts/button.js';
import { ask, Dialog, show } from '../../parts/dialog.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Time } from '../../parts/marks.js';
import { agentCommands } from './agent-commands.js';
import { Secret } from './settings-parts.js';
import type { LocationAgentView, NewLocationAgent } from './views.js';

type State = LocationAgentView['state'];

const WORDS: Readonly<Record<State, string>> = {
  waiting: 'Waits for its first connection',
  connected: 'Connected',
  silent: 'Silent',
  blind: 'Blind: it has no network',
  outdated: 'Connected, of another version',
};
const LOOKS: Readonly<Record<State, string>> = {
  waiting: 'soft',
  connected: 'state-available',
  silent: 'state-unavailable',
  blind: 'state-unavailable',
  outdated: 'state-partial',
};

const pathOf = (locationId: string) => `/api/v1/private-locations/${locationId}/agents`;

export function LocationAgents({ locationId }: { locationId: string }) {
  const agents = useResource<LocationAgentView[]>(pathOf(locationId), { pageSize: 20 });
  return (
    <Loaded of={agents} rows={1}>
      {(all) =>
        all.length === 0 ? (
          <span class="soft">None</span>
        ) : (
          <ul class="stack gap-2 bare">
            {all.map((agent) => (
              <li key={agent.id} class="wrap center gap-2">
                <strong>{agent.name}</strong>
                <span class={LOOKS[agent.state]}>{WORDS[agent.state]}</span>
                {agent.lacks.length > 0 && <span class="soft">without {agent.lacks.join(' and ')}</span>}
                {agent.state === 'silent' && agent.lastSeen && <Time at={agent.lastSeen} />}
                {hasRole('Admin') && (
                  <Button text="Revoke" label={`Revoke ${agent.name}`} onClick={() => revoke(locationId, agent)} />
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function revoke(locationId: string, { id, name }: LocationAgentView) {
  ask({
    title: `Revoke the agent ${name}?`,
    action: 'Revoke',
    consequences: ['It is refused at once, and checks nothing any more.', 'A revoked agent cannot be brought back.'],
    onConfirm: () => change('POST', `${pathOf(locationId)}/${id}/revoke`).then(() => toast(`Revoked: ${name}`)),
  });
}

export function NewAgentDialog({ locationId }: { locationId: string }) {
  return (
    <FormDialog
      title="New agent"
      action="Create the agent"
      initial={{ name: '' }}
      onSubmit={async (body) => {
        const made = await change<NewLocationAgent>('POST', pathOf(locationId), { body });
        show(<MadeAgent locationId={locationId} made={made.body} />);
      }}
    >
      {() => (
        <Field
          name="name"
          label="Name"
          hint="The machine that it runs on, to recognise it later."
          placeholder="rack-1"
        />
      )}
    </FormDialog>
  );
}

/** Turns when the agent connects. */
function MadeAgent({
  locationId,
  made: { id, name, controlPlaneUrl, token = '' },
}: {
  locationId: string;
  made: NewLocationAgent;
}) {
  const agents = useResource<LocationAgentView[]>(pathOf(locationId), { pageSize: 20 });
  const state = agents.data?.find((agent) => agent.id === id)?.state ?? 'waiting';
  return (
    <Dialog title={`Agent “${name}”`} isWide>
      <p class={state === 'waiting' ? 'note note-partial' : 'note note-available'} role="status">
        <strong>
          {state === 'waiting'
            ? 'Copy the token now: it is shown this once. This page turns when the agent connects.'
            : `${WORDS[state]}.`}
        </strong>
      </p>
      <Secret text={token} label="Copy the token" />
      {agentCommands(controlPlaneUrl, token).map(({ label, command }) => (
        <section key={label} class="stack gap-2">
          <div class="wrap center between">
            <h3>{label}</h3>
            <CopyButton text={command} label={`Copy the command: ${label}`} />
          </div>
          <pre class="flush sunken small pad-3 pre">{command}</pre>
        </section>
      ))}
    </Dialog>
  );
}
