import { POST_LOOKS } from '@watchpost/shared/design/states';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { PostRow } from '../post-store.js';
import { escapeMarkdown } from '../site/render-markdown.js';
import { plannedText } from '../site/words.js';
import { statusPageStore } from '../status-page-store.js';
import { noticeStore } from './notice-store.js';
import { subscriberStore } from './subscriber-store.js';

type Announced = 'id' | 'title' | 'status' | 'systemIds' | 'scheduledStart' | 'scheduledEnd';

export interface AnnouncedPost extends Pick<PostRow, Announced> {
  /** The new text in Markdown; null where only status or times changed. */
  body: string | null;
}

/** Writes a notice about a new or changed post for the subscribers, in the transaction of the post. */
export async function announcePost(
  tx: Tx,
  workspaceId: string,
  page: { id: string; name: string; isPublished: boolean },
  post: AnnouncedPost,
  now: Date,
): Promise<void> {
  if (!page.isPublished || !(await subscriberStore.hasConfirmed(workspaceId, tx, page.id))) return;
  const { id: postId, title, status, body } = post;
  const word = POST_LOOKS[status].word;
  const systems = (await statusPageStore.systems(workspaceId, tx, [page.id])).get(page.id) ?? [];
  const names = systems.filter(({ id }) => post.systemIds.includes(id)).map(({ name }) => name);
  const facts = [
    ...(names.length === 0 ? [] : [names.join(', ')]),
    ...(post.scheduledStart ? [plannedText(post.scheduledStart.getTime(), post.scheduledEnd?.getTime() ?? null)] : []),
  ].map((fact) => `${escapeMarkdown(fact)}\n\n`);
  await noticeStore.insert(workspaceId, tx, page.id, {
    id: newId(now.getTime()),
    subject: `[${page.name}] ${word}: ${title}`,
    body: `**${word}**\n\n${facts.join('')}${body ?? escapeMarkdown(title)}`,
    postId,
    created: now,
  });
}
