import { show, ask, ConfirmDialog } from '../../parts/dialog.js';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { WHOLE } from '../../data/address.js';
import { request } from '../../data/api.js';
import { change, useResource } from '../../data/resources.js';
import { first, hasRole, workspaces } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Choice, Labelled } from '../../parts/inputs.js';
import { countText } from '../../parts/format.js';
import { Section } from '../../parts/section.js';
import { Action } from './settings-parts.js';
import { sendOrAsk } from '../../parts/unreachable.js';
import type { MemberView, WorkspaceView } from './views.js';

export function WorkspaceActions({ workspace }: { workspace: WorkspaceView }) {
  const { route } = useLocation();
  const isOwner = hasRole('Owner');
  const path = `/api/v1/workspaces/${workspace.id}`;
  // Nothing is read again before: what is shown belongs to a workspace that this person no longer has.
  const goElsewhere = (text: string) => {
    workspaces.value = workspaces.peek().filter(({ id }) => id !== workspace.id);
    const [next] = workspaces.peek();
    toast(text);
    if (next === undefined) location.assign('/console');
    else route(`/console/w/${next.id}`);
  };
  const remove = () => {
    const erase = () => request('DELETE', path).then(() => goElsewhere(`Deleted: ${workspace.name}`));
    show(<DeleteDialog workspace={workspace} onConfirm={erase} />);
  };
  const leave = () =>
    ask({
      title: `Leave ${workspace.name}?`,
      action: 'Leave',
      consequences: ['Your API keys of this workspace are revoked.', 'You are on call no more. What you made stays.'],
      onConfirm: () =>
        sendOrAsk('Leave anyway', async (query) => {
          await request('DELETE', `${path}/members/me`, { query });
          goElsewhere(`You left ${workspace.name}.`);
        }),
    });
  return (
    <Section look="stack" title={isOwner ? 'Ownership' : 'Membership'}>
      <div class="card divided lines max-44">
        {isOwner ? (
          <>
            <Action
              title="Transfer the ownership"
              action={<Button text="Transfer" onClick={() => show(<TransferDialog workspace={workspace} />)} />}
            >
              Another member becomes the Owner. The plan and limits of the new Owner apply.
            </Action>
            <Action
              title="Delete this workspace"
              action={
                <Button
                  text="Delete"
                  look="danger"
                  disabled={workspace.isPersonal}
                  reason={workspace.isPersonal ? 'A personal workspace goes with its account.' : undefined}
                  onClick={remove}
                />
              }
            >
              {workspace.isPersonal
                ? 'This is your personal workspace: it goes with your account, or can be transferred.'
                : 'With all that is in it. This cannot be undone.'}
            </Action>
          </>
        ) : (
          <Action title="Leave this workspace" action={<Button text="Leave" look="danger" onClick={leave} />}>
            You lose access at once. Only an invitation brings you back.
          </Action>
        )}
      </div>
    </Section>
  );
}

function DeleteDialog(props: { workspace: WorkspaceView; onConfirm: () => Promise<unknown> }) {
  const { workspace, onConfirm } = props;
  const overview = useResource<Overview>('/api/v1/overview');
  const members = useResource<MemberView[]>(`/api/v1/workspaces/${workspace.id}/members`, { pageSize: 1 });
  const monitors = overview.data?.counts.total ?? 0;
  const others = (members.total ?? 1) - 1;
  return (
    <ConfirmDialog
      title={`Delete ${workspace.name}?`}
      action="Delete the workspace"
      typedName={workspace.name}
      consequences={[
        `${monitors === 0 ? 'All monitors' : countText(monitors, 'monitor')} with results, incidents and evidence are deleted, and checked no more.`,
        'Status pages go offline, and nobody is on call or alerted any more.',
        ...(others > 0 ? [`${countText(others, 'other member')} ${others === 1 ? 'loses' : 'lose'} access.`] : []),
        'API keys, links and the audit log go too. This cannot be undone.',
      ]}
      needs={[overview, members]}
      onConfirm={onConfirm}
    />
  );
}

function TransferDialog({ workspace }: { workspace: WorkspaceView }) {
  const members = useResource<MemberView[]>(`/api/v1/workspaces/${workspace.id}/members`, WHOLE);
  const heirs = (members.data ?? []).filter(({ userId, status }) => userId !== first?.user.id && status === 'active');
  const [chosen, setChosen] = useState('');
  const memberId = chosen === '' ? heirs[0]?.id : chosen;
  if (members.data !== undefined && heirs.length === 0) {
    return (
      <ConfirmDialog title="Nobody to transfer to" action="Close" isDanger={false} onConfirm={async () => {}}>
        <p>Only an active member can become the Owner. Invite somebody first.</p>
      </ConfirmDialog>
    );
  }
  const transfer = async () => {
    const path = `/api/v1/workspaces/${workspace.id}/transfer-ownership`;
    await change('POST', path, { body: { memberId } });
    // The former Owner of a personal workspace has a new one.
    const { body } = await request<WorkspaceView[]>('GET', '/api/v1/workspaces?pageSize=200');
    workspaces.value = body.map(({ id, name, role, plan }) => ({ id, name, role, plan }));
    toast('Transferred. You are an Admin now.');
  };
  return (
    <ConfirmDialog
      title={`Transfer ${workspace.name}`}
      action="Transfer the ownership"
      typedName={workspace.name}
      consequences={[
        'You become an Admin, and cannot take it back yourself.',
        "The new Owner's plan and limits hold at once: what is over them is paused, the newest first.",
        ...(workspace.isPersonal ? ['It stops being your personal workspace; you get a new, empty one.'] : []),
      ]}
      needs={[members]}
      onConfirm={transfer}
    >
      <Labelled label="New Owner">
        <Choice
          options={heirs.map(({ id, name, email, role }) => ({ value: id, label: `${name ?? email} (${role})` }))}
          value={memberId}
          onChange={setChosen}
        />
      </Labelled>
    </ConfirmDialog>
  );
}
