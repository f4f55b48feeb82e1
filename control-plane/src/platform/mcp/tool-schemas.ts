import { z, type ZodType } from 'zod';
import { instant, MAX_PAGE_SIZE } from '../http/schemas.js';

const MAX_PAGE = 1_000_000;

/** A list is given whole up to this, where no page of it is asked for. */
export const MAX_UNPAGED = 1_000;
const DEFAULT_PAGE_SIZE = 50;

export const pageArguments = {
  page: z.int().min(1).max(MAX_PAGE).optional().describe('Which page, from 1.'),
  pageSize: z
    .int()
    .min(1)
    .transform((size) => Math.min(size, MAX_PAGE_SIZE))
    .optional()
    .describe(
      `1 to ${MAX_PAGE_SIZE}; ${DEFAULT_PAGE_SIZE} where only \`page\` is given. Without both the whole list, up to ${MAX_UNPAGED}.`,
    ),
};

/** The part of a list that the arguments ask for. */
export function pageAsked({ page, pageSize }: { page?: number | undefined; pageSize?: number | undefined }): {
  page: number;
  pageSize: number;
} {
  if (page === undefined && pageSize === undefined) return { page: 1, pageSize: MAX_UNPAGED };
  return { page: page ?? 1, pageSize: pageSize ?? DEFAULT_PAGE_SIZE };
}

export function idArgument(what: string) {
  return z.uuid().toLowerCase().describe(what);
}

export const momentArgument = instant;

export function listOutput(item: ZodType) {
  return z.strictObject({
    items: z.array(item),
    total: z.int().min(0).describe('How many there are in all'),
    page: z.int().min(1),
    pageSize: z.int().min(1),
    hasMore: z.boolean().describe('Whether the next page has more'),
  });
}

/** Refines arguments that have both ends of a range. */
export const inOrder = {
  // An invalid moment has a fault of its own already.
  check: ({ startDate, endDate }: { startDate?: unknown; endDate?: unknown }) =>
    typeof startDate !== 'number' || typeof endDate !== 'number' || startDate < endDate,
  fault: { path: ['endDate'], message: 'must be later than `startDate`' },
};
