import { z, type ZodObject, type ZodType, type output } from 'zod';
import type { ListPage, Rows } from '../db/database.js';
import type { Access } from './require-access.js';
import { route, type ApiAnswer, type ApiRequest, type PathParams, type Route, type RouteSpec } from './route.js';
import { pageQuery } from './schemas.js';

/**
 * A kind of thing that callers list, get, create, update and delete in the ordinary way. Its routes have their paths, operation
 * ids, audit actions, statuses, `Location` and descriptions from here, and state only what is particular to them.
 */
interface ResourceSpec<View, Path extends string, Own extends string> {
  /** Of all of them: `/api/v1/teams`. */
  path: Path;
  /** In lower case, as in sentences: `maintenance window`. Operation ids (`getMaintenanceWindow`) and audit actions (`maintenance_window.created`) are made from it. */
  name: string;
  tag: string;
  schema: ZodType;
  read: Access;
  write: Access;
  /** The parameter that identifies one in its path; default `id`. */
  param?: Own;
  /** The field of a view that identifies it; default `id`. */
  idField?: string;
  /** As of a route, for those over one and those of a workspace that `path` names. */
  workspaceParam?: string;
  /** The answer with one; default the view itself as the body. */
  answer?(view: View): ApiAnswer;
}

type Request<Params, Query extends ZodObject = ZodObject, Body extends ZodType = ZodType> = ApiRequest<
  Params,
  output<Query>,
  output<Body>
>;

/** A route states these itself; the optional ones replace what follows from its resource. */
type About = Pick<RouteSpec<ZodObject, ZodObject, ZodType>, 'summary'> &
  Partial<
    Pick<
      RouteSpec<ZodObject, ZodObject, ZodType>,
      'operationId' | 'description' | 'faults' | 'audits' | 'scopes' | 'role' | 'apiKeys'
    >
  >;

const inWords = (name: string, separator: string) => name.toLowerCase().replaceAll(' ', separator);
const inPascalCase = (name: string) =>
  name.toLowerCase().replaceAll(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase());
const pluralOf = (name: string) =>
  name.endsWith('y') && !name.endsWith('ey') ? `${name.slice(0, -1)}ies` : `${name}s`;

/** Makes the ordinary routes of a resource, each by one call. */
export function resource<View extends object, const Path extends string = string, const Own extends string = 'id'>(
  spec: ResourceSpec<View, Path, Own>,
) {
  type Within = PathParams<Path>;
  type Item = Within & { [Name in Own]: string };
  const { path, name, tag, schema, read, write, idField = 'id', answer = (body: View): ApiAnswer => ({ body }) } = spec;
  const itemPath = `${path}/{${spec.param ?? 'id'}}`;
  const ofWorkspace = spec.workspaceParam === undefined ? {} : { workspaceParam: spec.workspaceParam };
  const collection = { path: path as string, tag, ...(path.includes('{') && ofWorkspace) };
  const item = { path: itemPath, tag, ...ofWorkspace };
  const audited = (action: string) => ({ audits: [`${inWords(name, '_')}.${action}`] });

  /** A route over one of them, at its path or below it, which answers with what it is afterwards. */
  function change<Body extends ZodType, Made extends View = View, Query extends ZodObject = ZodObject>(
    about: About & {
      method: 'post' | 'put' | 'patch';
      operationId: string;
      query?: Query;
      body?: Body;
      /** What follows the path of one: `/end`. */
      below?: string;
      schema?: ZodType;
      run(request: Request<Item, Query, Body>): Promise<Made>;
      answer?(made: Made): ApiAnswer;
    },
  ): Route {
    const { below = '', run, schema: changed = schema, answer: answerChanged = answer, ...own } = about;
    return route<string, undefined, Query, Body>({
      ...write,
      ...item,
      ...own,
      path: itemPath + below,
      answers: { 200: { description: `The ${name} as it is now`, schema: changed } },
      handle: async (request) => answerChanged(await run(request as never)),
    });
  }

  return {
    change,

    list<Query extends typeof pageQuery = typeof pageQuery>(
      about: About & {
        query?: Query;
        schema?: ZodType;
        run(request: Request<Within, Query>, rows: Rows): Promise<ListPage<unknown>>;
      },
    ): Route {
      const { run, query, schema: listed = schema, ...own } = about;
      return route<string, undefined, Query>({
        method: 'get',
        operationId: `list${pluralOf(inPascalCase(name))}`,
        ...read,
        ...collection,
        ...own,
        query: query ?? (pageQuery as Query),
        list: true,
        answers: { 200: { description: `A page of ${pluralOf(name)}`, schema: z.array(listed) } },
        run: (request, rows) => run(request as never, rows),
      });
    },

    get(about: About & { run(request: Request<Item>): Promise<View> }): Route {
      const { run, ...own } = about;
      return route({
        method: 'get',
        operationId: `get${inPascalCase(name)}`,
        ...read,
        ...item,
        ...own,
        answers: { 200: { description: `The ${name}`, schema } },
        handle: async (request) => answer(await run(request as never)),
      });
    },

    create<Body extends ZodType, Made extends View = View, Query extends ZodObject = ZodObject>(
      about: About & {
        query?: Query;
        body: Body;
        /** Where a new one is answered with more than it is later, such as a secret. */
        created?: ZodType;
        run(request: Request<Within, Query, Body>): Promise<Made>;
        answer?(made: Made): ApiAnswer;
      },
    ): Route {
      const { run, created = schema, answer: answerNew = answer, ...own } = about;
      return route<string, undefined, Query, Body>({
        method: 'post',
        operationId: `create${inPascalCase(name)}`,
        ...audited('created'),
        ...write,
        ...collection,
        ...own,
        answers: { 201: { description: `The ${name}`, schema: created } },
        async handle(request) {
          const made = answerNew(await run(request as never));
          const at = path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
            String((request.params as Record<string, unknown>)[param]),
          );
          return { ...made, status: 201, location: `${at}/${String((made.body as Record<string, unknown>)[idField])}` };
        },
      });
    },

    update<Body extends ZodType, Query extends ZodObject = ZodObject>(
      about: About & {
        method: 'put' | 'patch';
        query?: Query;
        body: Body;
        run(request: Request<Item, Query, Body>): Promise<View>;
      },
    ): Route {
      return change<Body, View, Query>({ operationId: `update${inPascalCase(name)}`, ...audited('updated'), ...about });
    },

    delete<Query extends ZodObject = ZodObject>(
      about: About & { query?: Query; run(request: Request<Item, Query>): Promise<unknown> },
    ): Route {
      const { run, ...own } = about;
      return route<string, undefined, Query>({
        method: 'delete',
        operationId: `delete${inPascalCase(name)}`,
        ...audited('deleted'),
        ...write,
        ...item,
        ...own,
        answers: { 204: { description: 'It is gone' } },
        run: (request) => run(request as never),
      });
    },
  };
}
