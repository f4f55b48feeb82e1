import { randomBytes } from 'node:crypto';
import pino, { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createHttpApp } from '@watchpost/control-plane/platform/http/create-http-app';
import type { HealthReport, HttpOptions } from '@watchpost/control-plane/platform/http/http-options';
import { mergePatch } from '@watchpost/control-plane/platform/http/merge-patch';
import { route, type Route } from '@watchpost/control-plane/platform/http/route';
import {
  booleanParam,
  isoTimestamp,
  nameText,
  pageQuery,
  timeRangeQuery,
  uuid,
} from '@watchpost/control-plane/platform/http/schemas';
import { listenHttp, type HttpListener } from '@watchpost/control-plane/platform/http/http-server';
import type { Caller, Role } from '@watchpost/control-plane/platform/identity/caller';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault, notFound } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Database } from '@watchpost/control-plane/platform/db/database';

/** A small service behind the HTTP shell in these tests: notes in a workspace. */
interface Note {
  id: string;
  name: string;
  colour: string | null;
  created: string;
}

const noteSchema = z
  .strictObject({ id: uuid, name: z.string(), colour: z.string().nullable(), created: isoTimestamp })
  .meta({ id: 'SampleNote' });
const noteBody = z
  .strictObject({
    name: nameText,
    colour: z.enum(['red', 'green']).nullish(),
    tags: z.array(z.string().max(10)).max(5).optional(),
  })
  .meta({ id: 'SampleNoteBody' });
const notePatch = z
  .strictObject({ name: nameText.optional(), colour: z.enum(['red', 'green']).nullish() })
  .meta({ id: 'SampleNotePatch' });

export const WORKSPACE = '019aa5c2-0000-7000-8000-00000000000a';
export const OTHER_WORKSPACE = '019aa5c2-0000-7000-8000-00000000000b';
const ALICE = '019aa5c2-0000-7000-8000-0000000000a1';
const BOB = '019aa5c2-0000-7000-8000-0000000000b1';

/** The contents of a token, and the role of its bearer in the workspace. */
const TOKENS: Readonly<Record<string, { userId: string; scopes: string[]; role: Role | null }>> = {
  'alice-owner': { userId: ALICE, scopes: ['monitor.admin'], role: 'Owner' },
  'alice-read': { userId: ALICE, scopes: ['monitor.read'], role: 'Owner' },
  'alice-write': { userId: ALICE, scopes: ['monitor.write'], role: 'Owner' },
  'bob-viewer': { userId: BOB, scopes: ['monitor.admin'], role: 'Viewer' },
  'bob-editor': { userId: BOB, scopes: ['monitor.admin'], role: 'Editor' },
  stranger: { userId: '019aa5c2-0000-7000-8000-0000000000c1', scopes: ['monitor.admin'], role: null },
};

export interface SampleService {
  readonly url: string;
  readonly clock: ManualClock;
  readonly registry: Registry;
  readonly listener: HttpListener;
  readonly logLines: string[];
  health: HealthReport;
  /** How often the creating route has really run. */
  runs: number;
  /** Held requests of `POST /api/v1/held`, released by calling these. */
  readonly held: (() => void)[];
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  close(): Promise<void>;
}

interface CallOptions {
  token?: string | null;
  json?: unknown;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: {
    error?: string;
    message?: string;
    details?: { path: string; message: string }[];
    requestId?: string;
  } & Record<string, unknown>;
}

export async function startSampleService(
  db: Database,
  overrides: Partial<Omit<HttpOptions, 'config'>> & { config?: Partial<HttpOptions['config']> } = {},
): Promise<SampleService> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 8, 30));
  const registry = new Registry();
  const logLines: string[] = [];
  const logger: Logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const state = {
    runs: 0,
    held: [] as (() => void)[],
    health: { status: 'ok', checks: { database: { status: 'ok' } } } as HealthReport,
  };
  const { config, routes, ...rest } = overrides;
  const app = createHttpApp({
    routes: routes ?? sampleRoutes(state),
    authenticate: (token) => Promise.resolve(callerOf(token)),
    nameCodes: (_, text) => Promise.resolve(text),
    resolveWorkspace: (caller, named) => Promise.resolve().then(() => accessOf(caller, named)),
    db,
    clock,
    logger,
    registry,
    config: {
      version: '1.2.3',
      baseUrl: 'https://watch.example',
      issuer: 'https://issuer.example',
      corsOrigins: ['https://console.example'],
      trustProxyCidrs: ['127.0.0.0/8'],
      securityContacts: ['mailto:security@watch.example', 'https://watch.example/report'],
      rateLimitPerMinute: 100_000,
      oauthEndpoints: { authorization: 'https://issuer.example/auth', token: 'https://issuer.example/token' },
      ...config,
    },
    health: { check: () => Promise.resolve(state.health) },
    secretBox: createSecretBox(randomBytes(32)),
    checkAnswers: true,
    ...rest,
  });
  const listener = await listenHttp(app.callback(), { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${listener.port}`;
  return Object.assign(state, {
    url,
    clock,
    registry,
    listener,
    logLines,
    call: (method: string, path: string, options: CallOptions = {}) => call(url, method, path, options),
    close: () => listener.close(10_000),
  });
}

async function call(
  url: string,
  method: string,
  path: string,
  { token = 'alice-owner', json, body, headers = {} }: CallOptions,
): Promise<Answered> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent as string }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

function callerOf(token: string): Caller {
  const known = TOKENS[token];
  if (!known) throw new Fault('invalid_token', 'The token is not one of ours.');
  return {
    userId: known.userId,
    credential: { type: 'token', issuer: 'https://issuer.example', subject: token, clientId: null },
    scopes: new Set(known.scopes),
  };
}

function accessOf(caller: Caller, named: { pathId?: string; headerId?: string }) {
  const { credential } = caller;
  const role = credential.type === 'token' ? TOKENS[credential.subject]!.role : null;
  const asked = named.pathId ?? named.headerId ?? WORKSPACE;
  if (role === null || asked !== WORKSPACE) {
    throw named.pathId ? notFound('workspace') : new Fault('no_workspace_context', 'Name one of your workspaces.');
  }
  return { workspaceId: asked, memberId: caller.userId, role, ownerId: ALICE };
}

export function sampleRoutes(state: { runs: number; held: (() => void)[] } = { runs: 0, held: [] }): Route[] {
  const notes = new Map<string, Note>();
  const find = (id: string) => {
    const note = notes.get(id);
    if (!note) throw notFound('note');
    return note;
  };
  const reads = { tag: 'Notes', scopes: ['monitor.read'], role: 'Viewer' } as const;
  const writes = {
    tag: 'Notes',
    scopes: ['monitor.write'],
    role: 'Editor',
    audits: { none: 'a sample has no audit log' },
  } as const;
  const noteAnswer = { 200: { description: 'The note', schema: noteSchema } };
  return [
    route({
      ...reads,
      method: 'get',
      path: '/api/v1/notes',
      operationId: 'listNotes',
      summary: 'Notes, newest first',
      list: true,
      query: z.strictObject({
        ...pageQuery.shape,
        ...timeRangeQuery.shape,
        pinned: booleanParam.optional(),
        tag: z.array(z.string()).optional(),
      }),
      answers: { 200: { description: 'One page', schema: z.array(noteSchema) } },
      handle: ({ query }) => {
        const all = [...notes.values()];
        return Promise.resolve({
          body: all.slice((query.page - 1) * query.pageSize, query.page * query.pageSize),
          total: all.length,
        });
      },
    }),
    route({
      ...reads,
      method: 'get',
      path: '/api/v1/notes/{id}',
      operationId: 'getNote',
      summary: 'One note',
      answers: noteAnswer,
      handle: ({ params }) => Promise.resolve().then(() => ({ body: find(params.id) })),
    }),
    route({
      ...writes,
      method: 'post',
      path: '/api/v1/notes',
      operationId: 'createNote',
      summary: 'Write a note',
      body: noteBody,
      answers: { 201: { description: 'The new note', schema: noteSchema } },
      faults: ['slug_taken'],
      handle: async ({ body }) => {
        state.runs += 1;
        await Promise.resolve();
        if (body.name === 'taken') throw new Fault('slug_taken', 'Choose another name.');
        if (body.name === 'broken') throw new Error('a secret detail of our insides');
        if (body.name === 'no database')
          throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
        const note = {
          id: newId(Date.now()),
          name: body.name,
          colour: body.colour ?? null,
          created: new Date().toISOString(),
        };
        notes.set(note.id, note);
        return { status: 201, body: note, location: `/api/v1/notes/${note.id}` };
      },
    }),
    route({
      ...writes,
      method: 'patch',
      path: '/api/v1/notes/{id}',
      operationId: 'patchNote',
      summary: 'Change a note',
      body: notePatch,
      answers: noteAnswer,
      handle: async (request) => {
        await Promise.resolve();
        const current = find(request.params.id);
        request.checkPrecondition(current);
        const changed = {
          ...current,
          colour: null,
          ...(mergePatch({ name: current.name, colour: current.colour }, request.body) as object),
        } as Note;
        notes.set(current.id, changed);
        return { body: changed };
      },
    }),
    route({
      ...writes,
      method: 'delete',
      path: '/api/v1/notes/{id}',
      operationId: 'deleteNote',
      summary: 'Delete a note',
      answers: { 204: { description: 'It is gone' } },
      handle: async (request) => {
        await Promise.resolve();
        request.checkPrecondition(find(request.params.id));
        notes.delete(request.params.id);
        return {};
      },
    }),
    route({
      ...writes,
      method: 'post',
      path: '/api/v1/held',
      operationId: 'hold',
      summary: 'Answers when it is released',
      answers: { 200: { description: 'It was released', schema: z.strictObject({ run: z.number() }) } },
      handle: async () => {
        state.runs += 1;
        const run = state.runs;
        await new Promise<void>((resolve) => state.held.push(resolve));
        return { body: { run } };
      },
    }),
    route({
      tag: 'Members',
      scopes: ['monitor.read'],
      role: 'Viewer',
      method: 'get',
      path: '/api/v1/workspaces/{id}/members/{memberId}',
      workspaceParam: 'id',
      operationId: 'getMember',
      summary: 'One member',
      params: z.strictObject({ id: uuid, memberId: uuid }),
      answers: { 200: { description: 'Which one', schema: z.strictObject({ which: z.string() }) } },
      handle: ({ params }) => Promise.resolve({ body: { which: params.memberId } }),
    }),
    route({
      tag: 'Members',
      scopes: ['monitor.read'],
      role: null,
      method: 'get',
      path: '/api/v1/workspaces/{id}/members/me',
      workspaceParam: 'id',
      operationId: 'getMe',
      summary: 'Oneself',
      answers: { 200: { description: 'Which one', schema: z.strictObject({ which: z.string() }) } },
      handle: () => Promise.resolve({ body: { which: 'me' } }),
    }),
    route({
      ...reads,
      method: 'get',
      path: '/api/v1/notes/{id}/readers',
      operationId: 'getReaders',
      summary: 'A note with a count that changes by itself',
      answers: { 200: { description: 'The count', schema: z.strictObject({ id: uuid, readers: z.number() }) } },
      handle: ({ params }) => {
        state.runs += 1;
        return Promise.resolve({ body: { id: params.id, readers: state.runs }, resource: { id: params.id } });
      },
    }),
    route({
      tag: 'Public',
      scopes: 'anonymous',
      role: null,
      method: 'get',
      path: '/api/v1/public/address',
      operationId: 'getAddress',
      summary: 'Who is calling',
      answers: { 200: { description: 'The address', schema: z.strictObject({ address: z.string() }) } },
      handle: ({ remoteAddress }) => Promise.resolve({ body: { address: remoteAddress } }),
    }),
  ];
}
