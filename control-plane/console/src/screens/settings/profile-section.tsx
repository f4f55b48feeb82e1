import { useState } from 'preact/hooks';
import { request } from '../../data/api.js';
import { dropAllDrafts } from '../../data/drafts.js';
import { workspaces } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useEdit } from '../../parts/use-edit.js';
import { Action, Section } from './section.js';
import type { UserView } from './views.js';

const PATH = '/api/v1/user';

/** Name and email of the user, and deleting the account. */
export function ProfileSection() {
  const read = useResource<UserView>(PATH);
  return (
    <Loaded of={read} rows={4}>
      {(user) => (
        <>
          <Section title="Profile">
            <ProfileForm user={user} etag={read.etag} />
          </Section>
          <DeleteAccount user={user} />
        </>
      )}
    </Loaded>
  );
}

function ProfileForm({ user, etag }: { user: UserView; etag: string | null }) {
  const { form, conflict } = useEdit({
    method: 'PUT',
    path: `${PATH}/${user.id}`,
    readPath: PATH,
    read: { data: user, etag },
    pick: ({ name }: UserView) => ({ name: name ?? '' }),
    toBody: ({ name }) => ({ name: name.trim() === '' ? null : name }),
    draft: 'profile',
    names: { name: 'Name' },
    onSaved: () => toast('Saved.'),
  });
  return (
    <div class="card card-body settings-form">
      <Form form={form} action="Save" conflict={conflict}>
        <Field name="name" label="Name" hint="Members of your workspaces see it, also in the audit log." />
        <div class="field">
          <span class="field-label">Email</span>
          <p>{user.email ?? 'Your sign-in provider reports none.'}</p>
          <p class="field-hint">It comes from your sign-in provider, and is changed there.</p>
        </div>
      </Form>
    </div>
  );
}

function DeleteAccount({ user }: { user: UserView }) {
  const [isAsked, setAsked] = useState(false);
  const owned = workspaces.value.filter(({ role }) => role === 'Owner').map(({ name }) => name);
  return (
    <Section title="Account">
      <div class="card settings-actions">
        <Action
          title="Delete my account"
          action={
            <Button look="danger" onClick={() => setAsked(true)}>
              Delete
            </Button>
          }
        >
          With the workspaces that nobody else belongs to. Those with other members have to be transferred first.
        </Action>
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Delete your account?"
          action="Delete my account"
          typedName={user.email ?? user.id}
          consequences={[
            ...(owned.length > 0 ? [`Your workspaces are deleted with all that is in them: ${owned.join(', ')}.`] : []),
            'You leave all other workspaces; your API keys and sessions end.',
            'This cannot be undone.',
          ]}
          onConfirm={async () => {
            // Nothing is read again before leaving: the session has ended.
            await request('DELETE', `${PATH}/${user.id}`);
            dropAllDrafts();
            location.assign('/');
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
