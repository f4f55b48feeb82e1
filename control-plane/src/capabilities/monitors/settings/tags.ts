import { z } from 'zod';
import { withoutRepeats } from '../../../platform/http/define-settings.js';

export const MAX_TAGS = 20;
/** A word, or a key and a value: `checkout`, `team:web`. Each part has at most 63 characters. */
const TAG = /^[a-z0-9][a-z0-9._/-]{0,62}(:[a-z0-9][a-z0-9._/-]{0,62})?$/;

/** A tag as a caller may write it; the output is trimmed and in lower case. */
export const tagText = z
  .string()
  .max(200)
  .trim()
  .toLowerCase()
  .regex(TAG, {
    error:
      'must be a word like `checkout`, or two with a colon like `team:web`: letters, digits and ._/- from a letter or digit on, at most 63 each',
  })
  .meta({ example: 'team:web' });

/** Monitors are grouped by `serviceGroup`, or the key of tags, `team` of `team:web`. No key has a capital letter. */
export const groupingText = z
  .string()
  .regex(/^(serviceGroup|[a-z0-9][a-z0-9._/-]{0,62})$/, {
    error: 'must be `serviceGroup`, or the key of a tag: `team` of `team:web`',
  })
  .meta({ example: 'team' });

/** Without duplicates and in alphabetical order. The tags themselves are as `tagText` returns them. */
export function normalizeTags(tags: readonly string[]): string[] {
  return withoutRepeats(tags).toSorted();
}

export function tagList(most: number) {
  return z.array(tagText).max(most).transform(normalizeTags);
}

export const tagsInput = tagList(MAX_TAGS).meta({
  description:
    `What people find and change it by, together with others: at most ${MAX_TAGS}, such as \`checkout\` or \`team:web\`. Lower-cased, ` +
    'deduplicated and answered in alphabetical order. The list is replaced as a whole.',
  default: [],
  example: ['env:prod', 'team:web'],
});
