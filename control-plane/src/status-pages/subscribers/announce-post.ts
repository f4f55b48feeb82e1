import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../db/database.js';
import type { PostStatus } from '../decide-post-faults.js';
import { escapeMarkdown } from '../site/render-markdown.js';
import { POST_STATUS_WORDS } from '../site/words.js';
import { noticeStore } from './notice-store.js';
import { subscriberStore } from './subscriber-store.js';

export interface AnnouncedPost {
  id: string;
  title: string;
  status: PostStatus;
  /** What was written just now, in Markdown; null where only the status changed. */
  body: string | null;
}

/** Hands what an operator just told visitors to those who subscribe, in the transaction in which it was told. */
export async function announcePost(
  tx: Tx,
  workspaceId: string,
  page: { id: string; name: string; isPublished: boolean },
  { id: postId, title, status, body }: AnnouncedPost,
  now: Date,
): Promise<void> {
  if (!page.isPublished || !(await subscriberStore.hasConfirmed(workspaceId, tx, page.id))) return;
  const word = POST_STATUS_WORDS[status];
  await noticeStore.insert(workspaceId, tx, page.id, {
    id: newId(now.getTime()),
    subject: `[${page.name}] ${word}: ${title}`,
    body: `**${word}**\n\n${body ?? escapeMarkdown(title)}`,
    postId,
    created: now,
  });
}
