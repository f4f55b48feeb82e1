import { MAX_PAGE_SIZE } from '../http/schemas.js';
import type { ZodObject, output } from 'zod';
import type { Actor, Role } from '../identity/caller.js';
import type { Consent } from './require-consent.js';

export interface MemberAccess {
  /** Any one of these is enough: those of the tool's twin in REST. */
  scopes: readonly string[];
  /** The least role in the resolved workspace. */
  role: Role;
  /** The plan of the workspace's owner must have this. */
  feature: 'mcpRead' | 'mcpWrite';
}

/** Who may call a tool; `anonymous` needs no token. */
export type ToolAccess = 'anonymous' | MemberAccess;

/** What a client may assume of a tool before it asks its user (MCP 2025-03-26 and later). */
export interface ToolEffect {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/**
 * A tool is described once, as data: the shell lists it, checks token, scope, workspace, role, arguments and plan in
 * that order before `handle` runs, and turns what it gives, or the fault that it throws, into a result.
 */
export interface ToolSpec<Input extends ZodObject, Output extends ZodObject> {
  name: string;
  title: string;
  /** For an assistant: when to use it, and what the result contains. */
  description: string;
  input: Input;
  /** Of `structuredContent`. */
  output: Output;
  access: ToolAccess;
  effect: ToolEffect;
}

export interface ToolRequest<Args> {
  args: Args;
  /** Set unless the tool is anonymous. */
  actor: Actor;
  /** The peer's address, or the one that a trusted proxy names. */
  remoteAddress: string;
}

export interface ToolAnswer {
  /** What the one text block holds, as JSON: a list where the tool answers one. */
  json: unknown;
  /** The same for programs, from protocol 2025-06-18 on: lists are under `items`. */
  structured: Record<string, unknown>;
  /** Follows the JSON as a text block of its own: that a list is cut, and how to get the rest. */
  note?: string;
  /** Of a list: what there is beyond it, for clients that get no structured content. */
  page?: PageOfItems;
}

export interface PageOfItems {
  total: number;
  page: number;
  pageSize: number;
  hasMore: boolean;
}

export interface Tool extends ToolSpec<ZodObject, ZodObject> {
  /** What the person is asked first, where the tool publishes or deletes. */
  consent?(args: Readonly<Record<string, unknown>>): Consent;
  handle(request: ToolRequest<unknown>): Promise<ToolAnswer>;
}

/** Declares a tool; the type of its arguments follows from their schema. */
export function tool<Input extends ZodObject, Output extends ZodObject>(
  spec: ToolSpec<Input, Output> & { handle(request: ToolRequest<output<Input>>): Promise<ToolAnswer> },
): Tool {
  return spec;
}

/** Reads and changes nothing, in this service alone. */
export const READS: ToolEffect = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export function oneOf(view: Record<string, unknown>): ToolAnswer {
  return { json: view, structured: view };
}

/**
 * The answer of a tool that gives a page of a list.
 * @param most of them are given out, however many pages are asked for
 */
export function pageOf(
  items: readonly unknown[],
  total: number,
  { page, pageSize }: { page: number; pageSize: number },
  most = total,
): ToolAnswer {
  const hasMore = (page - 1) * pageSize + items.length < Math.min(total, most);
  const counts = { total, page, pageSize, hasMore };
  const answer = { json: items, structured: { items, ...counts }, page: counts };
  if (!hasMore || pageSize <= MAX_PAGE_SIZE) return answer;
  const next = (page * pageSize) / MAX_PAGE_SIZE + 1;
  const note = `The first ${items.length} of ${total} are listed. For the others ask with \`page\` ${next} and \`pageSize\` ${MAX_PAGE_SIZE}, and go on from there.`;
  return { ...answer, note };
}
