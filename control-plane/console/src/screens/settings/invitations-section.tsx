import { WHOLE } from '../../data/address.js';
import type { Answer } from '../../data/api.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, workspace, workspaceId } from '../../data/session.js';
import { useNew } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { ask, Dialog, show } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Section } from '../../parts/section.js';
import { actions, Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { RoleChoice, Secret } from './settings-parts.js';
import type { InvitationView, InvitationWithLink } from './views.js';

const pathOfInvitations = () => `/api/v1/workspaces/${workspaceId.value}/invitations`;

export function InviteButton() {
  const open = () => show(<InviteDialog />);
  useNew(open);
  return <Button text="Invite" look="primary" icon="plus" onClick={open} />;
}

function InviteDialog() {
  return (
    <FormDialog
      title={`Invite to ${workspace.value?.name ?? 'the workspace'}`}
      action="Invite"
      initial={{ email: '', role: 'Responder' }}
      draft="invite"
      onSubmit={(body) => change<InvitationWithLink>('POST', pathOfInvitations(), { body }).then(showLink)}
    >
      {(form) => (
        <>
          <Field name="email" label="Email address" type="email" placeholder="ann@example.com" />
          <RoleChoice value={form.values.value.role} onChange={(role) => form.set('role', role)} />
        </>
      )}
    </FormDialog>
  );
}

/** Who is invited and has not answered; nobody but for Admins. */
export function useInvitations() {
  return useResource<InvitationView[]>(hasRole('Admin') ? pathOfInvitations() : null, WHOLE);
}

/** Who is invited and has not answered. Shows nothing where nobody is. */
export function InvitationsSection({ invitations }: { invitations: readonly InvitationView[] }) {
  const path = pathOfInvitations();
  const regenerate = ({ id, email }: InvitationView) =>
    ask({
      title: `Make a new link for ${email}?`,
      action: 'Make a new link',
      isDanger: false,
      consequences: ['The old link stops working.', 'The new one is mailed, and works for 7 days.'],
      onConfirm: () => change<InvitationWithLink>('POST', `${path}/${id}/regenerate-link`).then(showLink),
    });
  const revoke = ({ id, email }: InvitationView) =>
    ask({
      title: `Revoke the invitation of ${email}?`,
      action: 'Revoke',
      consequences: ['Its link stops working at once.'],
      onConfirm: () => change('DELETE', `${path}/${id}`).then(() => toast('The invitation is revoked.')),
    });
  if (invitations.length === 0) return null;
  return (
    <Section look="stack" title="Invitations" lead="A link is mailed to the person, and works for 7 days.">
      <Table
        label="Invitations"
        rows={invitations}
        columns={{
          Email: ({ email }) => email,
          Role: { width: 'narrow', cell: ({ role }) => role },
          Expires: {
            isNumber: true,
            cell: ({ status, expiresAt }) =>
              status === 'expired' ? <span class="state-partial">Expired</span> : <Time at={expiresAt} as="moment" />,
          },
          ...actions<InvitationView>((invitation) => (
            <>
              <Button text="New link" icon="link" onClick={() => regenerate(invitation)} />
              <Button text="Revoke" look="danger" onClick={() => revoke(invitation)} />
            </>
          )),
        }}
      />
    </Section>
  );
}

function showLink({ body: { email, link } }: Answer<InvitationWithLink>): void {
  show(
    <Dialog title={`${email} is invited`}>
      <p>The link is on its way by mail. You can also pass it on yourself; it is shown this once.</p>
      <Secret text={link} label="Copy the link" />
    </Dialog>,
  );
}
