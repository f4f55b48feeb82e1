import { show, ask } from '../../parts/dialog.js';
import { useLocation } from 'preact-iso';
import { paramsOf } from '../../data/address.js';
import { change } from '../../data/resources.js';
import { now } from '../../data/clock.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useNew } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Chips, Section, Tabs } from '../../parts/section.js';
import { EmptyState } from '../../parts/loaded.js';
import { List, usePage, actions } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { NewKeyDialog } from './new-key-dialog.js';
import type { ApiKeyView } from './views.js';

/** Keys for scripts: the own ones, for Admins also those of everybody. */
export function ApiKeysSection() {
  const { url } = useLocation();
  const isAll = hasRole('Admin') && paramsOf(url).get('of') === 'everybody';
  const keys = usePage<ApiKeyView>('/api/v1/api-keys', { all: isAll });
  const open = () => show(<NewKeyDialog />);
  useNew(open);
  const create = <Button text="New key" look="primary" icon="plus" onClick={open} />;
  const revoke = ({ id, name }: ApiKeyView) =>
    ask({
      title: `Revoke the key ${name}?`,
      action: 'Revoke',
      consequences: ['What uses it is refused within 5 seconds.', 'A revoked key cannot be brought back.'],
      onConfirm: () => change('DELETE', `/api/v1/api-keys/${id}`).then(() => toast(`Revoked: ${name}`)),
    });
  return (
    <Section
      look="stack"
      title="API keys"
      lead="For scripts, CI and assistants. A key acts for its creator, in this workspace only, with at most the creator's role."
      aside={create}
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
      <List
        of={keys}
        none={
          <EmptyState icon="link" title="There is no API key yet" action={create}>
            Create one to call the API without signing in.
          </EmptyState>
        }
        label="API keys"
        columns={{
          Name: ({ name, prefix }) => (
            <span class="lines">
              <strong>{name}</strong>
              <code class="soft small">{prefix}…</code>
            </span>
          ),
          ...(isAll && { Owner: ({ owner }: ApiKeyView) => owner?.name ?? 'No name' }),
          Scopes: { width: 'wide', cell: ({ scopes }) => <Chips values={scopes} /> },
          'Last used': {
            isNumber: true,
            cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span class="soft">Never</span>),
          },
          Expires: { isNumber: true, cell: (key) => <Expiry apiKey={key} /> },
          ...actions<ApiKeyView>((key) => <Button text="Revoke" look="danger" onClick={() => revoke(key)} />),
        }}
      />
    </Section>
  );
}

function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKeyView }) {
  if (expiresAt === null) return <span class="soft">Never</span>;
  return Date.parse(expiresAt) <= now.value ? <span class="state-partial">Expired</span> : <Time at={expiresAt} />;
}
