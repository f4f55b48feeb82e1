import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GrafanaAccount } from '@watchpost/cli/import/grafana-oncall/fixtures/grafana-account';
import type { OpsgenieAccount } from '@watchpost/cli/import/opsgenie/fixtures/opsgenie-account';

/** The key that each of them takes. */
export const SERVICE_KEY = '0a1b2c3d';

export interface OnCallService {
  url: string;
  /** Paths with query, in their order. */
  readonly asked: string[];
  /** So many of the next requests are refused as too many. */
  refusals: number;
  close(): Promise<void>;
}

type Row = Record<string, unknown>;
type Answer = [status: number, body: unknown];

/** The API of Opsgenie, with what it refuses. @param timelines by schedule */
export function startOpsgenie(
  account: OpsgenieAccount,
  timelines: Readonly<Record<string, unknown>> = {},
): Promise<OnCallService> {
  const notFound: Answer = [404, { message: 'No such item' }];
  const data = (item: unknown): Answer =>
    item === undefined ? notFound : [200, { data: item, took: 0.1, requestId: 'r' }];
  const byId = (items: readonly { id: string }[], id: string) => items.find((one) => one.id === id);
  const summary = ({ members: _, ...team }: Row) => team;
  return start((request, url) => {
    if (request.headers.authorization !== `GenieKey ${SERVICE_KEY}`)
      return [403, { message: 'API Key is not valid', took: 0 }];
    const [list, id = '', part, ...more] = url.pathname.slice('/v2/'.length).split('/').map(decodeURIComponent);
    if (!url.pathname.startsWith('/v2/') || more.length > 0) return notFound;
    const query = url.searchParams;
    if (list === 'users') {
      const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
      // As documented, up to 100. Fewer keep the test of paging small.
      if (limit > 100) return [422, { message: 'limit must be at most 100' }];
      const end = offset + Math.min(limit, 15);
      const next = end < account.users.length ? { next: `https://api.opsgenie.com/v2/users?offset=${end}` } : {};
      return [200, { data: account.users.slice(offset, end), paging: next, totalCount: account.users.length }];
    }
    if (list === 'teams')
      return part === 'routing-rules'
        ? data(account.routingRules.filter(({ teamId }) => teamId === id).map(({ teamId: _, ...rule }) => rule))
        : data(id === '' ? account.teams.map(summary) : byId(account.teams, id));
    if (list === 'schedules' && id === '')
      return data(
        account.schedules.map(({ rotations, ...one }) =>
          query.get('expand') === 'rotation' ? { ...one, rotations } : one,
        ),
      );
    if (list === 'schedules' && part === 'overrides')
      return data(
        account.overrides.filter(({ _parent }) => (_parent as Row)['id'] === id).map(({ _parent, ...one }) => one),
      );
    if (list === 'schedules' && part === 'timeline') {
      if (
        !['days', 'weeks', 'months'].includes(query.get('intervalUnit') ?? 'weeks') ||
        Number.isNaN(Date.parse(query.get('date')!))
      )
        return [422, { message: 'Request body is not processable.' }];
      return data(timelines[id]);
    }
    if (list === 'escalations') return data(account.escalations);
    if (list === 'integrations')
      return data(
        id === ''
          ? account.integrations.map(({ webhookUrl: _, headers: _headers, ...one }) => one)
          : byId(account.integrations, id),
      );
    return notFound;
  });
}

/** The public API of Grafana OnCall, with what it refuses. @param finalShifts by schedule */
export function startGrafanaOnCall(
  account: GrafanaAccount,
  finalShifts: Readonly<Record<string, readonly unknown[]>> = {},
): Promise<OnCallService> {
  return start((request, url) => {
    if (request.headers.authorization !== SERVICE_KEY) return [403, { detail: 'Invalid token.' }];
    const [, list, id, part] = /^\/api\/v1\/([a-z_]+)\/(?:([^/]+)\/([a-z_]+))?$/.exec(url.pathname) ?? [];
    if (list === undefined || !Object.hasOwn(account, list)) return [404, { detail: 'Not found.' }];
    const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(url.searchParams.get(name) ?? '');
    if (part === 'final_shifts' && !(isDay('start_date') && isDay('end_date')))
      return [400, { start_date: ['Date has wrong format.'] }];
    const all = part === 'final_shifts' ? (finalShifts[id!] ?? []) : account[list as keyof GrafanaAccount];
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), 3];
    if (page > Math.max(1, Math.ceil(all.length / size))) return [404, { detail: 'Invalid page.' }];
    const next = page * size < all.length ? `${url.origin}${url.pathname}?page=${page + 1}` : null;
    return [200, { count: all.length, next, previous: null, results: all.slice((page - 1) * size, page * size) }];
  });
}

async function start(answer: (request: IncomingMessage, url: URL) => Answer): Promise<OnCallService> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://service.example');
    service.asked.push(request.url!);
    const isRefused = service.refusals-- > 0;
    const [status, body]: Answer = isRefused
      ? [429, { message: 'You are making too many requests!' }]
      : answer(request, url);
    response.writeHead(status, { 'content-type': 'application/json', ...(isRefused ? { 'retry-after': '0' } : {}) });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: OnCallService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    refusals: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}
