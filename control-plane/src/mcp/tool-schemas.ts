import { z, type ZodType } from 'zod';
import { instant, MAX_PAGE_SIZE } from '../http/schemas.js';

const MAX_PAGE = 1_000_000;

/** Arguments of every tool that gives a list: a full page means that there may be another one. */
export const pageArguments = {
  page: z.int().min(1).max(MAX_PAGE).default(1).describe('Which page, from 1.'),
  pageSize: z
    .int()
    .min(1)
    .transform((size) => Math.min(size, MAX_PAGE_SIZE))
    .default(50)
    .describe(
      `How many a page, 1 to ${MAX_PAGE_SIZE}. When as many come back, there may be more: ask for the next page.`,
    ),
};

/** An identifier as an argument. */
export function idArgument(what: string) {
  return z.uuid().toLowerCase().describe(what);
}

export const momentArgument = instant;

/** The structured content of a tool that gives a list. */
export function listOutput(item: ZodType) {
  return z.strictObject({
    items: z.array(item),
    total: z.int().min(0).describe('How many there are in all'),
    page: z.int().min(1),
    pageSize: z.int().min(1),
    hasMore: z.boolean().describe('Whether the next page has more'),
  });
}
