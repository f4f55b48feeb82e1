import { request } from '../../data/api.js';
import { dropAllDrafts } from '../../data/drafts.js';
import { workspaces } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { ask } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { EditForm } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { Action } from './settings-parts.js';
import type { UserView } from './views.js';

const PATH = '/api/v1/user';

export function ProfileSection() {
  const read = useResource<UserView>(PATH);
  return (
    <Loaded of={read} rows={4}>
      {(user) => (
        <>
          <Section look="stack" title="Profile">
            <div class="card card-body max-44">
              <EditForm
                method="PUT"
                path={`${PATH}/${user.id}`}
                readPath={PATH}
                pick={({ name }: UserView) => ({ name: name ?? '' })}
                toBody={({ name }) => ({ name: name.trim() === '' ? null : name })}
                draft="profile"
              >
                {() => (
                  <>
                    <Field name="name" label="Name" hint="Members of your workspaces see it, also in the audit log." />
                    <div class="field">
                      <span class="field-label">Email</span>
                      <p>{user.email ?? 'Your sign-in provider reports none.'}</p>
                      <p class="field-hint">It comes from your sign-in provider, and is changed there.</p>
                    </div>
                  </>
                )}
              </EditForm>
            </div>
          </Section>
          <Section look="stack" title="Account">
            <div class="card divided lines max-44">
              <Action
                title="Delete my account"
                action={<Button text="Delete" look="danger" onClick={() => deleteAccount(user)} />}
              >
                With the workspaces that nobody else belongs to. Those with other members have to be transferred first.
              </Action>
            </div>
          </Section>
        </>
      )}
    </Loaded>
  );
}

function deleteAccount({ id, email }: UserView): void {
  const owned = workspaces.value.filter(({ role }) => role === 'Owner').map(({ name }) => name);
  ask({
    title: 'Delete your account?',
    action: 'Delete my account',
    typedName: email ?? id,
    consequences: [
      ...(owned.length > 0 ? [`Your workspaces are deleted with all that is in them: ${owned.join(', ')}.`] : []),
      'You leave all other workspaces; your API keys and sessions end.',
      'This cannot be undone.',
    ],
    onConfirm: async () => {
      // Nothing is read again before leaving: the session has ended.
      await request('DELETE', `${PATH}/${id}`);
      dropAllDrafts();
      location.assign('/');
    },
  });
}
