import { useState } from 'preact/hooks';
import { change } from '../../data/change.js';
import { useResource } from '../../data/use-resource.js';
import { signOut } from '../../frame/sign-out.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { browserText } from './browser-text.js';
import { Section } from './section.js';
import type { SessionView } from './views.js';

const PATH = '/api/v1/user/sessions';

/** The browsers that are signed in. */
export function SessionsSection() {
  const read = useResource<SessionView[]>(PATH, { pageSize: 200 });
  const [isEndingAll, setEndingAll] = useState(false);
  const end = (id: string) =>
    void change('DELETE', `${PATH}/${id}`).then(() => toast('That browser is signed out.'), toastFault);
  return (
    <Section
      title="Signed-in browsers"
      lead="A session ends 12 hours after its last use, and after 30 days in any case."
      actions={
        <Button look="danger" onClick={() => setEndingAll(true)}>
          Sign out everywhere
        </Button>
      }
    >
      <Loaded of={read}>
        {(sessions) => (
          <Table
            label="Sessions"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'browser',
                label: 'Browser',
                cell: ({ userAgent, remoteAddress }) => (
                  <span class="settings-person">
                    <strong title={userAgent ?? undefined}>{browserText(userAgent)}</strong>
                    <span class="soft small">{remoteAddress ?? 'Unknown address'}</span>
                  </span>
                ),
              },
              {
                key: 'created',
                label: 'Signed in',
                width: 'narrow',
                isNumber: true,
                cell: ({ created }) => <Time at={created} as="moment" />,
              },
              {
                key: 'seen',
                label: 'Last used',
                width: 'narrow',
                isNumber: true,
                cell: ({ lastSeen }) => <Time at={lastSeen} />,
              },
              {
                key: 'actions',
                label: 'Actions',
                width: 'narrow',
                isNumber: true,
                isPlain: true,
                cell: ({ id, isCurrent }) => (
                  <span class="settings-tail">
                    {isCurrent ? (
                      <span class="chip">This browser</span>
                    ) : (
                      <Button onClick={() => end(id)}>Sign out</Button>
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {isEndingAll && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          consequences={['Every browser is signed out, this one included.', 'API keys go on working.']}
          onConfirm={() => signOut(true)}
          onClose={() => setEndingAll(false)}
        />
      )}
    </Section>
  );
}
