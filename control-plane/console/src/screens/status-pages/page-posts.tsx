import { POST_LOOKS } from '@watchpost/shared/design/states';
import { show, ask } from '../../parts/dialog.js';
import type { PostView } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { change } from '../../data/resources.js';
import { hasRole } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Chips } from '../../parts/section.js';
import { EmptyState } from '../../parts/loaded.js';
import { Paged, usePage } from '../../parts/table.js';
import { StateMark, Time } from '../../parts/marks.js';
import { PostDialog } from './post-dialog.js';
import { GONE_SYSTEM, KIND_WORDS, systemNames } from './post-values.js';

const PAGE_SIZE = 20;

export function PagePosts({ page }: { page: StatusPageView }) {
  const path = `/api/v1/status-page/${page.id}/incidents`;
  const posts = usePage<PostView>(path, {}, PAGE_SIZE);
  const edit = (post?: PostView) => show(<PostDialog page={page} post={post} />);
  const isEditor = hasRole('Editor');
  const names = systemNames(page);
  const remove = ({ id, title }: PostView) =>
    ask({
      title: `Delete “${title}”?`,
      action: 'Delete',
      consequences: ['Its thread is deleted with it.', 'Subscribers keep the mails that they got.'],
      onConfirm: () => change('DELETE', `${path}/${id}`).then(() => toast(`Deleted: ${title}`)),
    });
  const write = isEditor && <Button text="New post" icon="plus" look="primary" onClick={() => edit()} />;
  return (
    <section class="stack" aria-label="Posts">
      <Paged
        of={posts}
        none={
          <EmptyState icon="edit" title="Nothing was posted yet" action={write}>
            Inform visitors and subscribers of outages, changes and planned maintenance in your own words.
          </EmptyState>
        }
      >
        {(rows) => (
          <>
            <div class="row between">
              <p class="soft">
                {page.isPublished ? 'Visitors see posts at once.' : 'Posts become visible with the page.'}
              </p>
              {write}
            </div>
            <ul class="stack list">
              {rows.map((post) => (
                <li key={post.id} class="card card-body stack tight" data-row={post.id}>
                  <header class="row between">
                    <h2>{post.title}</h2>
                    <StateMark {...POST_LOOKS[post.status]} />
                  </header>
                  <p class="soft small row">
                    <span>{KIND_WORDS[post.kind]}</span>
                    <Time at={post.created} as="moment" />
                    {post.scheduledStart && (
                      <span>
                        planned for <Time at={post.scheduledStart} as="moment" />
                        {post.scheduledEnd && <Time at={post.scheduledEnd} as="moment" before=" to " />}
                      </span>
                    )}
                  </p>
                  <p class="max-46 pre-line">{post.body}</p>
                  {post.systemIds.length > 0 && (
                    <Chips values={post.systemIds.map((id) => names.get(id) ?? GONE_SYSTEM)} />
                  )}
                  {post.updates.length > 0 && (
                    <ol class="status-pages-thread lines gap-3">
                      {post.updates.map((update) => (
                        <li key={update.id}>
                          <span class="small">
                            <strong>{POST_LOOKS[update.status].word}</strong>{' '}
                            <Time at={update.created} as="moment" class="soft" />
                          </span>
                          {update.body && <p class="max-46 pre-line">{update.body}</p>}
                        </li>
                      ))}
                    </ol>
                  )}
                  {post.moreUpdates && <p class="soft small">Older updates are not shown.</p>}
                  {isEditor && (
                    <footer class="row">
                      <Button text="Update" icon="edit" onClick={() => edit(post)} />
                      {page.isPublished && (
                        <Button text="Open" look="plain" href={`/status/${page.slug}/posts/${post.id}`} isOutside />
                      )}
                      <Button look="plain" icon="trash" label={`Delete ${post.title}`} onClick={() => remove(post)} />
                    </footer>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Paged>
    </section>
  );
}
