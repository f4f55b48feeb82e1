import { NotThere, Screen } from '../../frame/screen.js';
import type {
  StatusPageSummary,
  StatusPageView,
} from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useLocation } from 'preact-iso';
import { paramsOf } from '../../data/address.js';
import { change, useResource, type ResourceView } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { ask } from '../../parts/dialog.js';
import { useDelete } from '../../parts/use-delete.js';
import { Button } from '../../parts/button.js';
import { countText } from '../../parts/format.js';
import { MoreMenu } from '../../parts/menu.js';
import { Tabs } from '../../parts/section.js';
import { PageEditor } from './page-editor.js';
import { PagePosts } from './page-posts.js';
import { PageShare } from './page-share.js';
import { StatusMark } from './status-mark.js';

/** One status page: its editor, its posts, and how it is shared. The tab is in the address. */
export function StatusPageScreen({ params }: { params: Record<string, string> }) {
  const id = params['id'] ?? '';
  const page = useResource<StatusPageView>(`/api/v1/status-page/${encodeURIComponent(id)}`);
  if (page.data === undefined) return <NotThere title="Status page" of={page} rows={8} />;
  return <Shown key={id} page={page.data} read={page} />;
}

function Shown({ page, read }: { page: StatusPageView; read: ResourceView<StatusPageView> }) {
  const { url } = useLocation();
  const askToDelete = useDelete();
  const tab = paramsOf(url).get('tab') ?? 'page';
  const summary = useResource<StatusPageSummary[]>('/api/v1/status-page-summaries').data?.find(
    ({ statusPageId }) => statusPageId === page.id,
  );
  const path = `/api/v1/status-page/${page.id}`;
  const hrefOf = (name?: string) => pathTo(`/status-pages/${page.id}`, { tab: name });
  const publish = (isPublished: boolean) =>
    change('PUT', path, { body: { isPublished } }).then(() =>
      toast(isPublished ? `Published at /status/${page.slug}` : `Not public any more: ${page.name}`),
    );
  const isEmpty = page.groups.every(({ systems }) => systems.length === 0);
  const isEditor = hasRole('Editor');
  const subscribers = summary?.subscribers ?? 0;
  const unpublish = () =>
    ask({
      title: `Unpublish ${page.name}?`,
      action: 'Unpublish',
      consequences: [
        `Visitors of /status/${page.slug} find nothing; so do its feed and badge.`,
        'Subscribers hear nothing until it is published again.',
        'Systems, posts and subscribers stay.',
      ],
      onConfirm: () => publish(false),
    });
  const remove = () =>
    askToDelete({
      name: page.name,
      path,
      back: pathTo('/status-pages'),
      typedName: page.name,
      consequences: [
        'Its posts are deleted with their threads.',
        subscribers > 0
          ? `${countText(subscribers, 'subscriber')} hear nothing more.`
          : 'Its address, feed and badge are not found any more.',
        'This cannot be undone. Monitors stay.',
      ],
    });
  return (
    <Screen
      title={page.name}
      actions={
        <>
          {page.isPublished && <Button text="Open" icon="link" href={`/status/${page.slug}`} isOutside />}
          {isEditor && !page.isPublished && !isEmpty && (
            <Button text="Publish" look="primary" onClick={() => void publish(true).catch(toastFault)} />
          )}
          {isEditor && (
            <MoreMenu
              label="More"
              look=""
              items={[
                page.isPublished && { label: 'Unpublish', onSelect: unpublish },
                { label: 'Delete', icon: 'trash', isDanger: true, onSelect: remove },
              ]}
            />
          )}
        </>
      }
      lead={
        <>
          <p class="row status-pages-lead below-3">
            {isEmpty && <span>{page.isPublished ? 'It shows nothing yet.' : 'Add a system to publish it.'}</span>}
            {summary && !isEmpty && <StatusMark status={summary.overallStatus} />}
            <span class="soft">
              {page.isPublished ? 'Published at ' : 'Draft of '}
              <span class="mono">/status/{page.slug}</span>
              {subscribers > 0 && ` · ${countText(subscribers, 'subscriber')}`}
            </span>
          </p>
          <Tabs
            label="Parts of the status page"
            tabs={[
              { href: hrefOf(), label: 'Page', isCurrent: tab === 'page' },
              { href: hrefOf('posts'), label: 'Posts', isCurrent: tab === 'posts', count: summary?.openPosts },
              { href: hrefOf('share'), label: 'Share', isCurrent: tab === 'share' },
            ]}
          />
        </>
      }
    >
      {tab === 'posts' ? (
        <PagePosts page={page} />
      ) : tab === 'share' ? (
        <PageShare page={page} subscribers={summary?.subscribers} />
      ) : (
        <PageEditor page={page} etag={read.etag} />
      )}
    </Screen>
  );
}
