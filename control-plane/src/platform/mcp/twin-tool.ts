import { type FaultDetail, invalidFields } from '@watchpost/shared/fault';
import { z, type ZodObject, type ZodRawShape, type ZodType } from 'zod';
import { parse } from '../http/reading/read-input.js';
import type { Route } from '../http/route.js';
import { readableText } from './monitored-data.js';
import { oneOf, pageOf, READS, tool, type Tool, type ToolEffect } from './tool.js';
import { inOrder, pageArguments, pageAsked } from './tool-schemas.js';

type Args = Record<string, unknown>;

export interface TwinSpec extends Pick<Tool, 'name' | 'title' | 'consent'> {
  twin: string;
  /** For an assistant. That the tool is an addition is written in front of it. */
  description: string;
  /** Names of arguments for parameters of the path. */
  renamed?: Readonly<Record<string, string>>;
  /** Fields of the route that the tool does not have. */
  without?: readonly string[];
  /** Arguments in place of fields of the route, or beside them. */
  own?: ZodRawShape;
  /** Makes the input of the route where the arguments are others: then `own` has all of them. */
  input?(args: Args): { params?: Args; query?: Args; body?: Args };
  /** The fields of an answer, or of each item of a list, that an assistant needs; default all. */
  shown?: readonly string[];
  /** Default: it reads. */
  effect?: ToolEffect;
}

const ADDITION = 'Beyond the basic tools. ';
/** Assistants read the answer itself, and the list of tools in each conversation: OpenAPI describes the fields. */
const ANY_OBJECT = z.looseObject({});
const NOTHING = z.strictObject({});
/** Of one text in an answer. */
const MOST_TEXT = 2_000;

/**
 * Makes a tool of a route, so that both have one implementation, and scopes, role, limits and faults are the same.
 * @throws Error where no route has this operation id
 */
export function twinTool(routes: readonly Route[], spec: TwinSpec): Tool {
  const route = routes.find(({ operationId }) => operationId === spec.twin);
  if (!route || route.scopes === 'anonymous' || route.role === null) throw new Error(`${spec.twin} has no twin in MCP`);
  const { name, title, effect = READS, shown, consent } = spec;
  const view = (of: unknown) => readable(shown ? pickOf(of as Args, shown) : of);
  return tool<ZodObject, ZodObject>({
    name,
    title,
    description: ADDITION + spec.description,
    input: spec.input ? z.strictObject(spec.own ?? {}) : argumentsOf(route, spec),
    output: ANY_OBJECT,
    access: { scopes: route.scopes, role: route.role, feature: route.method === 'get' ? 'mcpRead' : 'mcpWrite' },
    effect,
    ...(consent && { consent }),
    async handle({ args, actor, remoteAddress }) {
      const page = pageAsked(args);
      const input = spec.input ? read(route, spec.input(args)) : partsOf(route, spec, args);
      const { body, total } = await route.handle({
        path: route.path,
        ...input,
        query: { ...(input.query as Args), ...(route.list && page) },
        caller: actor.caller,
        actor,
        via: actor.via,
        requestId: actor.via.requestId ?? '',
        rawBody: Buffer.alloc(0),
        wantsPage: false,
        headers: {},
        remoteAddress,
        checkPrecondition() {},
      });
      if (!Array.isArray(body)) return oneOf(view(body) as Args);
      const items = body.map(view);
      return route.list ? pageOf(items, total ?? items.length, page) : { json: items, structured: { items } };
    },
  });
}

const pickOf = (of: Args, names: readonly string[]): Args =>
  Object.fromEntries(names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]]])));

/** The fields of the path under their names here, those of the query, and those of the body. */
function argumentsOf(route: Route, { renamed = {}, without = [], own = {} }: TwinSpec): ZodObject {
  const base = (route.body ?? route.query ?? NOTHING) as ZodObject;
  const ofPath = route.workspaceParam ? {} : (route.params?.shape ?? {});
  const kept = Object.entries(base.shape).filter(([field]) => !without.includes(field) && !PAGING.has(field));
  const fields = Object.fromEntries([
    ...kept.map(([field, schema]) => [field, described(schema as ZodType)]),
    ...Object.entries(ofPath).map(([field, schema]) => [renamed[field] ?? field, schema as ZodType]),
    ...Object.entries(route.list ? pageArguments : {}),
    ...Object.entries(own),
  ]) as ZodRawShape;
  // What the route refuses of several fields together is refused here too, which a copy of the fields would lose.
  const input: ZodObject = base.def.checks?.length ? base.safeExtend(fields) : z.strictObject(fields);
  return input.refine(inOrder.check, inOrder.fault);
}

/** The description of what it holds, where it has none: each argument of a tool has one. */
function described(schema: ZodType): ZodType {
  const inner = (schema.def as { innerType?: ZodType }).innerType;
  if (schema.description !== undefined || !inner) return schema;
  const { description } = described(inner);
  return description === undefined ? schema : schema.describe(description);
}

const PAGING = new Set(['page', 'pageSize']);

interface RouteInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** What a tool's arguments are to its route, as if it had read them itself: what the tool does not have is at its default. */
function partsOf(route: Route, { renamed = {} }: TwinSpec, args: Args): RouteInput {
  const pick = (schema: ZodType | undefined, names: Readonly<Record<string, string>> = {}): Args =>
    Object.fromEntries(
      Object.entries((schema as ZodObject | undefined)?.shape ?? {}).flatMap(([field, of]) => {
        const name = names[field] ?? field;
        const value: unknown = name in args ? args[name] : (of as ZodType).safeParse(undefined).data;
        return value === undefined ? [] : [[field, value]];
      }),
    );
  return { params: pick(route.params, renamed), query: pick(route.query), body: pick(route.body) };
}

/** @throws Fault validation_failed with what the route refuses */
function read(route: Route, { params = {}, query = {}, body = {} }: Readonly<Record<string, Args>>): RouteInput {
  const details: FaultDetail[] = [];
  const made = {
    params,
    query: parse(route.query ?? NOTHING, query, details),
    body: parse(route.body ?? NOTHING, body, details),
  };
  if (details.length > 0) throw invalidFields(details);
  return made;
}

/** Each text of an answer on one line and without anything unseen: any of them may come from outside. */
function readable(value: unknown): unknown {
  if (typeof value === 'string') return readableText(value, MOST_TEXT);
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [readableText(name, 100), readable(field)]));
}
