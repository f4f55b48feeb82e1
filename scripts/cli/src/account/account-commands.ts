import type { Command } from 'commander';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { User } from '@watchpost/control-plane/capabilities/users/user-schemas';
import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';
import { ApiError } from '../http/api-error.js';
import type { ApiClient } from '../http/api-client.js';
import { type Column, formatTable } from '../output/format-table.js';
import { formatMoment } from '../output/format-time.js';

const MOST_WORKSPACES = 1_000;

/** Who calls, where, and who is on call there. */
export function addAccountCommands(program: Command, bind: Bind): void {
  program.command('whoami').description('print who you are, and in which workspace').action(bind(showCaller));
  program.command('workspaces').description('list your workspaces').action(bind(listWorkspaces));
  program.command('on-call').description('print who is on call for each team').action(bind(showOnCall));
}

/** What `whoami --json` prints. A part that the credential has no scope for is null. */
interface WhoAmI {
  url: string;
  credential: 'apiKey' | 'login';
  user: Pick<User, 'id' | 'email' | 'name'> | null;
  /** null also where none is chosen and there are several. */
  workspace: Pick<Workspace, 'id' | 'name' | 'role'> | null;
}

async function showCaller(context: CommandContext): Promise<void> {
  const api = await context.connect();
  const { baseUrl, credential, workspaceId } = api.options;
  const [user, workspace] = await Promise.all([
    unlessForbidden(api.get<User>('/api/v1/user', 'id')),
    unlessForbidden(readWorkspace(api, workspaceId)),
  ]);
  const result: WhoAmI = {
    url: baseUrl,
    credential: credential?.isApiKey ? 'apiKey' : 'login',
    user: user && { id: user.id, email: user.email, name: user.name },
    workspace: workspace && { id: workspace.id, name: workspace.name, role: workspace.role },
  };
  printResult(context, result, () => [
    `url:        ${result.url}`,
    `signed in:  ${result.credential === 'apiKey' ? 'by the API key in WATCHPOST_API_KEY' : 'by `watchpost login`'}`,
    `user:       ${user ? (user.email ?? user.name ?? user.id) : 'not shown: the credential lacks the scope user.read'}`,
    `workspace:  ${workspace ? `${workspace.name} (${workspace.id}), role ${workspace.role}` : 'none chosen: name one with `--workspace`'}`,
  ]);
}

/** The chosen one, or the only one. */
async function readWorkspace(api: ApiClient, workspaceId: string | undefined): Promise<Workspace | null> {
  if (workspaceId !== undefined) return api.get<Workspace>(`/api/v1/workspaces/${workspaceId}`, 'id');
  const { items } = await api.list<Workspace>('/api/v1/workspaces', {}, 2);
  return items.length === 1 ? items[0]! : null;
}

async function unlessForbidden<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return null;
    throw error;
  }
}

async function listWorkspaces(context: CommandContext): Promise<void> {
  const api = await context.connect();
  const { items } = await api.list<Workspace>('/api/v1/workspaces', {}, MOST_WORKSPACES);
  const columns: Column<Workspace>[] = [
    { heading: 'NAME', value: ({ name }) => name, isCut: true, paint: (text) => context.terminal.paint('bold', text) },
    { heading: 'ROLE', value: ({ role }) => role },
    { heading: 'PLAN', value: ({ plan }) => plan },
    { heading: 'MONITORS', value: ({ usage }) => String(usage.monitors) },
    { heading: 'ID', value: ({ id }) => id },
  ];
  printResult(context, items, () => formatTable(columns, items, context.terminal.width));
}

async function showOnCall(context: CommandContext): Promise<void> {
  const { terminal } = context;
  const api = await context.connect();
  const { onCall, omitted } = await api.get<Overview>('/api/v1/overview', 'omitted');
  if (omitted.includes('account.read')) {
    throw new CommandError('This needs a token with the scope account.read.', { code: 'insufficient_scope' });
  }
  const columns: Column<Overview['onCall'][number]>[] = [
    { heading: 'TEAM', value: ({ teamName }) => teamName, isCut: true, paint: (text) => terminal.paint('bold', text) },
    {
      heading: 'ON CALL',
      value: ({ now }) => (now ? (now.name ?? now.userId) : 'nobody'),
      paint: (text, { now }) => (now ? text : terminal.paint('red', text)),
    },
    { heading: 'UNTIL', value: ({ now }) => formatMoment(now?.until ?? null) },
    { heading: 'NEXT', value: ({ next }) => (next ? (next.name ?? next.userId) : '-') },
    { heading: 'FROM', value: ({ next }) => formatMoment(next?.from ?? null) },
    { heading: 'GAPS', value: ({ gaps }) => String(gaps.length) },
  ];
  printResult(context, onCall, () => {
    if (onCall.length === 0) return ['There are no teams.'];
    const reasons = onCall.flatMap(({ teamName, why }) => (why === null ? [] : [`${teamName}: ${why}`]));
    return [...formatTable(columns, onCall, terminal.width), ...reasons];
  });
}
