import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../../data/address.js';
import { change } from '../../data/change.js';
import { hasRole, pathTo, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { now } from '../../data/clock.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Chips } from '../../parts/chips.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { Secret } from './secret.js';
import { Section } from './section.js';
import type { ApiKeyView } from './views.js';

const PAGE_SIZE = 50;

/** Keys for scripts: the own ones, for Admins also those of everybody. */
export function ApiKeysSection() {
  const { url } = useLocation();
  const query = paramsOf(url);
  const isAll = hasRole('Admin') && query.get('of') === 'everybody';
  const page = pageOf(query);
  const read = useResource<ApiKeyView[]>('/api/v1/api-keys', { all: isAll, page, pageSize: PAGE_SIZE });
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<{ name: string; key: string }>();
  const [revoked, setRevoked] = useState<ApiKeyView>();
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Section
      title="API keys"
      lead="For scripts, CI and assistants. A key acts for its creator, in this workspace only, with at most the creator's role."
      actions={create}
    >
      {hasRole('Admin') && (
        <Tabs
          label="Whose keys"
          tabs={[
            { href: pathTo('/settings/api-keys'), label: 'Yours', isCurrent: !isAll },
            { href: pathTo('/settings/api-keys', { of: 'everybody' }), label: 'Everybody’s', isCurrent: isAll },
          ]}
        />
      )}
      <Loaded of={read}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState icon="link" title="There is no API key yet" action={create}>
              Create one to call the API without signing in.
            </EmptyState>
          ) : (
            <>
              <Table
                label="API keys"
                rows={keys}
                rowKey={({ id }) => id}
                isStale={read.isPrevious}
                columns={[
                  {
                    key: 'name',
                    label: 'Name',
                    cell: ({ name, prefix }) => (
                      <span class="settings-name">
                        <strong>{name}</strong>
                        <code class="soft small">{prefix}…</code>
                      </span>
                    ),
                  },
                  ...(isAll
                    ? [{ key: 'owner', label: 'Owner', cell: ({ owner }: ApiKeyView) => owner?.name ?? 'No name' }]
                    : []),
                  { key: 'scopes', label: 'Scopes', width: 'wide', cell: ({ scopes }) => <Chips values={scopes} /> },
                  {
                    key: 'used',
                    label: 'Last used',
                    width: 'narrow',
                    isNumber: true,
                    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span class="soft">Never</span>),
                  },
                  {
                    key: 'expires',
                    label: 'Expires',
                    width: 'narrow',
                    isNumber: true,
                    cell: (key) => <Expiry apiKey={key} />,
                  },
                  {
                    key: 'actions',
                    label: 'Actions',
                    width: 'narrow',
                    isNumber: true,
                    isPlain: true,
                    cell: (key) => (
                      <span class="settings-tail">
                        <Button look="danger" onClick={() => setRevoked(key)}>
                          Revoke
                        </Button>
                      </span>
                    ),
                  },
                ]}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={read.total ?? keys.length} />
            </>
          )
        }
      </Loaded>
      {isCreating && (
        <NewKeyDialog
          onMade={(key) => {
            setCreating(false);
            setMade(key);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made && (
        <Dialog title={`Key “${made.name}”`} onClose={() => setMade(undefined)} isWide>
          <p class="note note-partial">
            <strong>Copy the key now: it is shown this once.</strong>
          </p>
          <Secret text={made.key} label="Copy the key" />
          <p>Send it with each request:</p>
          <pre class="settings-code">
            {`curl ${location.origin}/api/v1/workspaces/${workspaceId.value} \\\n  -H "Authorization: Bearer ${made.key.slice(0, 16)}…"`}
          </pre>
        </Dialog>
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke the key ${revoked.name}?`}
          action="Revoke"
          consequences={['What uses it is refused within 5 seconds.', 'A revoked key cannot be brought back.']}
          onConfirm={() =>
            change('DELETE', `/api/v1/api-keys/${revoked.id}`).then(() => toast(`Revoked: ${revoked.name}`))
          }
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Section>
  );
}

function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKeyView }) {
  if (expiresAt === null) return <span class="soft">Never</span>;
  return Date.parse(expiresAt) <= now.value ? <span class="state-partial">Expired</span> : <Time at={expiresAt} />;
}
