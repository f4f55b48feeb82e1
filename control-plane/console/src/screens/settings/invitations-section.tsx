import { useState } from 'preact/hooks';
import { change } from '../../data/change.js';
import { workspace, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { useForm } from '../../parts/use-form.js';
import { RoleChoice } from './roles.js';
import { Secret } from './secret.js';
import { Section } from './section.js';
import type { InvitationView, InvitationWithLink } from './views.js';

/** Invites somebody, and shows the link once. */
export function InviteButton() {
  const [isAsked, setAsked] = useState(false);
  const [made, setMade] = useState<InvitationWithLink>();
  const close = () => setAsked(false);
  return (
    <>
      <Button look="primary" icon="plus" onClick={() => setAsked(true)}>
        Invite
      </Button>
      {isAsked && (
        <InviteDialog
          onMade={(invitation) => {
            close();
            setMade(invitation);
          }}
          onClose={close}
        />
      )}
      {made && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

/** Who is invited and has not answered, for Admins. Shows nothing where nobody is. */
export function InvitationsSection() {
  const path = pathOfInvitations();
  const read = useResource<InvitationView[]>(path, { pageSize: 200 });
  const [asked, setAsked] = useState<{ what: 'regenerate' | 'revoke'; invitation: InvitationView }>();
  const [made, setMade] = useState<InvitationWithLink>();
  const close = () => setAsked(undefined);
  const { what, invitation } = asked ?? {};
  return (
    <>
      {read.data !== undefined && read.data.length > 0 && (
        <Section title="Invitations" lead="A link is mailed to the person, and works for 7 days.">
          <Table
            label="Invitations"
            rows={read.data}
            rowKey={({ id }) => id}
            columns={[
              { key: 'email', label: 'Email', cell: ({ email }) => email },
              { key: 'role', label: 'Role', width: 'narrow', cell: ({ role }) => role },
              {
                key: 'expires',
                label: 'Expires',
                width: 'narrow',
                isNumber: true,
                cell: ({ status, expiresAt }) =>
                  status === 'expired' ? <span class="state-partial">Expired</span> : <Time at={expiresAt} />,
              },
              {
                key: 'actions',
                label: 'Actions',
                width: 'narrow',
                isNumber: true,
                isPlain: true,
                cell: (each) => (
                  <span class="settings-tail">
                    <Button icon="link" onClick={() => setAsked({ what: 'regenerate', invitation: each })}>
                      New link
                    </Button>
                    <Button look="danger" onClick={() => setAsked({ what: 'revoke', invitation: each })}>
                      Revoke
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        </Section>
      )}
      {what === 'regenerate' && invitation && (
        <ConfirmDialog
          title={`Make a new link for ${invitation.email}?`}
          action="Make a new link"
          isDanger={false}
          consequences={['The old link stops working.', 'The new one is mailed, and works for 7 days.']}
          onConfirm={async () => {
            const answer = await change<InvitationWithLink>('POST', `${path}/${invitation.id}/regenerate-link`);
            setMade(answer.body);
          }}
          onClose={close}
        />
      )}
      {what === 'revoke' && invitation && (
        <ConfirmDialog
          title={`Revoke the invitation of ${invitation.email}?`}
          action="Revoke"
          consequences={['Its link stops working at once.']}
          onConfirm={() => change('DELETE', `${path}/${invitation.id}`).then(() => toast('The invitation is revoked.'))}
          onClose={close}
        />
      )}
      {made && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

const pathOfInvitations = () => `/api/v1/workspaces/${workspaceId.value}/invitations`;

function LinkDialog({ made, onClose }: { made: InvitationWithLink; onClose: () => void }) {
  return (
    <Dialog title={`${made.email} is invited`} onClose={onClose}>
      <p>The link is on its way by mail. You can also pass it on yourself; it is shown this once.</p>
      <Secret text={made.link} label="Copy the link" />
    </Dialog>
  );
}

function InviteDialog(props: { onMade: (made: InvitationWithLink) => void; onClose: () => void }) {
  const { onMade, onClose } = props;
  const form = useForm({
    initial: { email: '', role: 'Responder' },
    draft: 'invite',
    onSubmit: async (body) => onMade((await change<InvitationWithLink>('POST', pathOfInvitations(), { body })).body),
  });
  return (
    <Dialog title={`Invite to ${workspace.value?.name ?? 'the workspace'}`} onClose={onClose}>
      <Form form={form} action="Invite" onCancel={onClose}>
        <Field name="email" label="Email address" type="email" placeholder="ann@example.com" />
        <RoleChoice value={form.values.value.role} onChange={(role) => form.set('role', role)} />
      </Form>
    </Dialog>
  );
}
