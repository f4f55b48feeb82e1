import type { ParseArgsConfig } from 'node:util';
import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import { type Entitlements, findAccount, PLAN_NAMES, PLANS } from '../../capabilities/plans/index.js';
import { createWorkspaceIn } from '../../capabilities/workspaces/index.js';
import { nameText } from '../../platform/http/schemas.js';
import { accountListStore, type ListedAccount, type ListedWorkspace, MOST_LISTED } from './account-list-store.js';
import type { AdminCommand } from './command.js';
import { day, emailOf, stateOf, USER_COMMANDS } from './user-commands.js';
import { formatTable } from './format-table.js';
import { parseOptions, usageFault } from './parse-options.js';

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** A command that prints rows as a table, or with --json as they are. */
function listing<Row>(
  command: Pick<AdminCommand, 'name' | 'usage' | 'summary'>,
  options: NonNullable<ParseArgsConfig['options']>,
  rowsOf: (deps: Parameters<AdminCommand['run']>[0], given: Given) => Promise<readonly Row[]>,
  table: readonly (readonly [heading: string, cell: (row: Row) => string])[],
): AdminCommand {
  const optionsOf = (args: readonly string[]): Given =>
    parseOptions(command, args, { ...options, json: { type: 'boolean' } }).values;
  return {
    ...command,
    check: optionsOf,
    async run(deps, args) {
      const given = optionsOf(args);
      const rows = await rowsOf(deps, given);
      if (given['json']) return [JSON.stringify(rows, null, 2)];
      const cut = rows.length === MOST_LISTED ? [`The newest ${MOST_LISTED}; there may be more.`] : [];
      const cells = rows.map((row) => table.map(([, cell]) => cell(row)));
      return [
        ...formatTable(
          table.map(([heading]) => heading),
          cells,
        ),
        ...cut,
      ];
    },
  };
}

const usersList = listing<ListedAccount>(
  {
    name: 'users list',
    usage: 'users list [--search TEXT] [--json]',
    summary: 'List accounts, newest first, with their plan and what they own.',
  },
  { search: { type: 'string' } },
  ({ db }, { search }) =>
    db.read((tx) => accountListStore.accounts(tx, { search: (search as string | undefined) ?? null })),
  [
    ['EMAIL', emailOf],
    ['NAME', ({ name }) => name ?? '-'],
    ['PLAN', ({ plan }) => plan],
    ['STATE', stateOf],
    ['WORKSPACES', ({ workspaces }) => String(workspaces)],
    ['MONITORS', ({ monitors }) => String(monitors)],
    ['CREATED', ({ created }) => day(created)],
    ['ID', ({ id }) => id],
  ],
);

const workspacesList = listing<ListedWorkspace>(
  {
    name: 'workspaces list',
    usage: 'workspaces list [--user EMAIL|USER-ID] [--json]',
    summary: 'List workspaces, newest first, or those that an account owns.',
  },
  { user: { type: 'string' } },
  ({ db }, { user }) =>
    db.read(async (tx) =>
      accountListStore.workspaces(tx, user === undefined ? null : (await findAccount(tx, user as string)).id),
    ),
  [
    ['NAME', ({ name, isPersonal }) => `${name}${isPersonal ? ' (personal)' : ''}`],
    ['OWNER', ({ owner, ownerId }) => owner ?? ownerId],
    ['MEMBERS', ({ members }) => String(members)],
    ['MONITORS', ({ monitors }) => String(monitors)],
    ['OPEN INCIDENTS', ({ openIncidents }) => String(openIncidents)],
    ['CREATED', ({ created }) => day(created)],
    ['ID', ({ id }) => id],
  ],
);

const workspacesCreate: AdminCommand = {
  name: 'workspaces create',
  usage: 'workspaces create --user EMAIL|USER-ID --name NAME [--json]',
  summary: 'Create a workspace that an account owns.',
  check: workspaceOf,
  async run({ db, clock }, args) {
    const { user, name, json } = workspaceOf(args);
    return db.transaction(async (tx) => {
      const owner = await findAccount(tx, user);
      const { id } = await createWorkspaceIn(tx, { clock }, { userId: owner.id }, 'operator', { name });
      if (json) return [JSON.stringify({ workspaceId: id, name, ownerId: owner.id })];
      return [`${owner.label} owns the new workspace ${name} (${id}).`];
    });
  },
};

function workspaceOf(args: readonly string[]): { user: string; name: string; json: boolean } {
  const { values } = parseOptions(workspacesCreate, args, {
    user: { type: 'string' },
    name: { type: 'string' },
    json: { type: 'boolean' },
  });
  const name = nameText.safeParse(values.name);
  if (!values.user || !name.success)
    throw usageFault(workspacesCreate, 'Name the account, and the workspace with 1 to 200 characters.');
  return { user: values.user, name: name.data, json: values.json === true };
}

const plans = listing(
  { name: 'plans', usage: 'plans [--json]', summary: 'List the plans with their limits.' },
  {},
  () => Promise.resolve(PLAN_NAMES.map((name) => ({ name, ...PLANS[name].limits }))),
  [
    ['PLAN', ({ name }) => name],
    ...LIMIT_KEYS.map((key) => [key, (plan: Entitlements['limits']) => String(plan[key] ?? 'unlimited')] as const),
  ],
);

export const ACCOUNT_COMMANDS: readonly AdminCommand[] = [
  usersList,
  ...USER_COMMANDS,
  workspacesList,
  workspacesCreate,
  plans,
];
