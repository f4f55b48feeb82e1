import type {
  StatusPageSummary,
  StatusPageView,
} from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../../data/address.js';
import { change } from '../../data/change.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { useKeys } from '../../frame/keys.js';
import { Screen } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Field, Form } from '../../parts/form.js';
import { countText, numberText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { useForm } from '../../parts/use-form.js';
import { slugOf } from './page-values.js';
import { StatusMark } from './status-mark.js';

const PAGE_SIZE = 50;

/** All status pages of the workspace, with what their visitors see now. */
export function StatusPagesScreen() {
  const { url } = useLocation();
  const query = paramsOf(url);
  const page = pageOf(query);
  const pages = useResource<StatusPageView[]>('/api/v1/status-page', { page, pageSize: PAGE_SIZE });
  const summaries = useResource<StatusPageSummary[]>('/api/v1/status-page-summaries');
  const [isCreating, setCreating] = useState(query.has('new'));
  const summaryOf = new Map(summaries.data?.map((summary) => [summary.statusPageId, summary]));
  const isEditor = hasRole('Editor');
  useKeys(isEditor ? [{ key: 'n', label: 'New status page', run: () => setCreating(true) }] : []);
  const create = isEditor && (
    <Button icon="plus" look="primary" onClick={() => setCreating(true)}>
      New status page
    </Button>
  );
  return (
    <Screen title="Status pages" receivedMs={summaries.receivedMs} actions={create}>
      <Loaded of={pages} rows={4}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="status-pages" title="No status page yet" action={create}>
              A status page shows them which systems work, and what you post about outages and maintenance.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Status pages"
                rows={rows}
                rowHref={({ id }) => pathTo(`/status-pages/${id}`)}
                isStale={pages.isPrevious}
                columns={[
                  {
                    label: 'Name',
                    width: 'wide',
                    cell: ({ name, slug }) => (
                      <span class="status-pages-name">
                        <span>{name}</span>
                        <span class="soft small">/status/{slug}</span>
                      </span>
                    ),
                  },
                  {
                    label: 'Visible',
                    width: 'narrow',
                    cell: ({ isPublished }) => (isPublished ? 'Published' : <span class="soft">Draft</span>),
                  },
                  {
                    label: 'Now',
                    width: 'narrow',
                    cell: ({ id, groups }) => {
                      const summary = summaryOf.get(id);
                      const isEmpty = groups.every(({ systems }) => systems.length === 0);
                      return summary && !isEmpty ? <StatusMark status={summary.overallStatus} /> : '–';
                    },
                  },
                  {
                    label: 'Systems',
                    isNumber: true,
                    from: 768,
                    cell: ({ groups }) => numberText(groups.reduce((sum, { systems }) => sum + systems.length, 0)),
                  },
                  {
                    label: 'Open posts',
                    isNumber: true,
                    from: 768,
                    cell: ({ id }) => numberText(summaryOf.get(id)?.openPosts ?? 0),
                  },
                  {
                    label: 'Subscribers',
                    isNumber: true,
                    cell: ({ id }) => numberText(summaryOf.get(id)?.subscribers ?? 0),
                  },
                ]}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={pages.total ?? rows.length} />
              <p class="soft small">{countText(pages.total ?? rows.length, 'page')}; an account has at most 20.</p>
            </>
          )
        }
      </Loaded>
      {isCreating && isEditor && <NewPageDialog onClose={() => setCreating(false)} />}
    </Screen>
  );
}

function NewPageDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const form = useForm({
    initial: { name: '', slug: '' },
    draft: 'new-status-page',
    onSubmit: async ({ name, slug }) => {
      const body = { name, slug: slug === '' ? slugOf(name) : slug, groups: [{ name: 'Services', systems: [] }] };
      const made = await change<StatusPageView>('POST', '/api/v1/status-page', { body });
      toast(`Created: ${made.body.name}`);
      route(pathTo(`/status-pages/${made.body.id}`));
    },
  });
  const { name } = form.values.value;
  return (
    <Dialog title="New status page" onClose={onClose}>
      <Form form={form} action="Create" onCancel={onClose}>
        <Field name="name" label="Name" placeholder="Acme" hint="What visitors read at the top." />
        <Field
          name="slug"
          label="Address"
          placeholder={slugOf(name) || 'acme'}
          hint={
            <>
              {location.host}/status/<strong>{form.values.value.slug || slugOf(name) || '…'}</strong>
            </>
          }
        />
        <p class="soft small">Nobody sees it before you publish it.</p>
      </Form>
    </Dialog>
  );
}
