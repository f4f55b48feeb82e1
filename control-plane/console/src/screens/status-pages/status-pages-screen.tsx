import { show } from '../../parts/dialog.js';
import type {
  StatusPageSummary,
  StatusPageView,
} from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useLocation } from 'preact-iso';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useNew, Screen } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/edit-form.js';
import { EmptyState } from '../../parts/loaded.js';
import { Field } from '../../parts/form.js';
import { countText, numberText } from '../../parts/format.js';
import { List, usePage } from '../../parts/table.js';
import { slugOf } from './page-values.js';
import { StatusMark } from './status-mark.js';

/** All status pages of the workspace, with what their visitors see now. */
export function StatusPagesScreen() {
  const pages = usePage<StatusPageView>('/api/v1/status-page');
  const summaries = useResource<StatusPageSummary[]>('/api/v1/status-page-summaries');
  const summaryOf = new Map(summaries.data?.map((summary) => [summary.statusPageId, summary]));
  const isEditor = hasRole('Editor');
  const create = () => show(<NewPageDialog />);
  useNew(() => isEditor && create());
  const button = isEditor && <Button text="New status page" icon="plus" look="primary" onClick={create} />;
  return (
    <Screen title="Status pages" receivedMs={summaries.receivedMs} actions={button}>
      <List
        of={pages}
        none={
          <EmptyState icon="status-pages" title="No status page yet" action={button}>
            A status page shows them which systems work, and what you post about outages and maintenance.
          </EmptyState>
        }
        label="Status pages"
        rowHref={({ id }) => pathTo(`/status-pages/${id}`)}
        columns={{
          Name: {
            width: 'wide',
            cell: ({ name, slug }) => (
              <span class="lines">
                <span>{name}</span>
                <span class="soft small">/status/{slug}</span>
              </span>
            ),
          },
          Visible: {
            width: 'narrow',
            cell: ({ isPublished }) => (isPublished ? 'Published' : <span class="soft">Draft</span>),
          },
          Now: {
            width: 'narrow',
            cell: ({ id, groups }) => {
              const summary = summaryOf.get(id);
              const isEmpty = groups.every(({ systems }) => systems.length === 0);
              return summary && !isEmpty ? <StatusMark status={summary.overallStatus} /> : '–';
            },
          },
          Systems: {
            isNumber: true,
            from: 768,
            cell: ({ groups }) => numberText(groups.reduce((sum, { systems }) => sum + systems.length, 0)),
          },
          'Open posts': { isNumber: true, from: 768, cell: ({ id }) => numberText(summaryOf.get(id)?.openPosts ?? 0) },
          Subscribers: { isNumber: true, cell: ({ id }) => numberText(summaryOf.get(id)?.subscribers ?? 0) },
        }}
      />
      {pages.data !== undefined && pages.data.length > 0 && (
        <p class="soft small">{countText(pages.total ?? pages.data.length, 'page')}; an account has at most 20.</p>
      )}
    </Screen>
  );
}

function NewPageDialog() {
  const { route } = useLocation();
  return (
    <FormDialog
      title="New status page"
      action="Create"
      initial={{ name: '', slug: '' }}
      draft="new-status-page"
      onSubmit={async ({ name, slug }) => {
        const body = { name, slug: slug === '' ? slugOf(name) : slug, groups: [{ name: 'Services', systems: [] }] };
        const made = await change<StatusPageView>('POST', '/api/v1/status-page', { body });
        toast(`Created: ${made.body.name}`);
        route(pathTo(`/status-pages/${made.body.id}`));
      }}
    >
      {({ values: { value } }) => (
        <>
          <Field name="name" label="Name" placeholder="Acme" hint="What visitors read at the top." />
          <Field
            name="slug"
            label="Address"
            placeholder={slugOf(value.name) || 'acme'}
            hint={
              <>
                {location.host}/status/<strong>{value.slug || slugOf(value.name) || '…'}</strong>
              </>
            }
          />
          <p class="soft small">Nobody sees it before you publish it.</p>
        </>
      )}
    </FormDialog>
  );
}
