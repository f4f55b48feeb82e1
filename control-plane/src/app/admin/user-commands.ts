import { Fault } from '@watchpost/shared/fault';
import { findAccount, PLAN_NAMES } from '../../capabilities/plans/index.js';
import { deleteUserIn, ensureUserIn, type UserLeaving } from '../../capabilities/users/index.js';
import { createFirstWorkspace } from '../../capabilities/recipients/index.js';
import { deleteWorkspacesOfUser } from '../../capabilities/workspaces/index.js';
import { EMBEDDED_PRINCIPAL_ISSUER } from '../../embedded/provider/provider-setup.js';
import { isSubject } from '../../platform/identity/token-verifier.js';
import { profileOf } from '../../platform/identity/verified-token.js';
import { workspaceListeners } from '../compose-owner-changes.js';
import { accountListStore, type ListedAccount } from './account-list-store.js';
import type { AdminCommand } from './command.js';
import { formatTable } from './format-table.js';
import { parseOptions, usageFault } from './parse-options.js';

const showCommand: AdminCommand = {
  name: 'users show',
  usage: 'users show --user EMAIL|USER-ID [--json]',
  summary: 'Show an account and the workspaces that it belongs to.',
  check: (args) => userOf(showCommand, args, 'json'),
  async run({ db }, args) {
    const { user, flag: json } = userOf(showCommand, args, 'json');
    const { account, memberships } = await db.read(async (tx) => {
      const { id } = await findAccount(tx, user);
      const [found] = await accountListStore.accounts(tx, { id });
      return { account: found!, memberships: await accountListStore.memberships(tx, id) };
    });
    if (json) return [JSON.stringify({ ...account, memberships }, null, 2)];
    const { name, plan, issuer, subject, created, id } = account;
    return [
      `email:    ${emailOf(account)}`,
      `name:     ${name ?? '-'}`,
      `plan:     ${plan}`,
      `state:    ${stateOf(account)}`,
      `provider: ${issuer}`,
      `subject:  ${subject}`,
      `created:  ${day(created)}`,
      `id:       ${id}`,
      '',
      ...formatTable(
        ['WORKSPACE', 'ROLE', 'STATUS', 'MONITORS', 'ID'],
        memberships.map((each) => [each.name, each.role, each.status, String(each.monitors), each.id]),
      ),
    ];
  },
};

const createCommand: AdminCommand = {
  name: 'users create',
  usage: `users create --subject SUBJECT [--email EMAIL] [--name NAME] [--plan ${PLAN_NAMES.join('|')}] [--json]`,
  summary: 'Create the account of somebody who has not signed in yet: the subject is the one of the OpenID provider.',
  check: newUserOf,
  async run({ db, clock, config }, args) {
    const { json, plan, ...given } = newUserOf(args);
    const deps = { clock, onUserCreated: createFirstWorkspace, defaultPlan: plan ?? config.defaultPlan };
    const issuer = config.issuer ?? EMBEDDED_PRINCIPAL_ISSUER;
    const { userId, isNew } = await db.transaction((tx) => ensureUserIn(tx, deps, { issuer, ...given }));
    if (!isNew)
      throw new Fault('precondition_failed', `${issuer} has an account with the subject ${given.subject} already.`);
    if (json) return [JSON.stringify({ userId, issuer, subject: given.subject })];
    return [`${given.profile.email ?? given.subject} has an account on ${deps.defaultPlan} (${userId}).`];
  },
};

const deleteCommand: AdminCommand = {
  name: 'users delete',
  usage: 'users delete --user EMAIL|USER-ID [--force]',
  summary:
    'Delete an account with the workspaces that only it belongs to; refused while they have monitors, unless --force is given.',
  check: (args) => userOf(deleteCommand, args, 'force'),
  async run({ db, clock }, args) {
    const { user, flag: force } = userOf(deleteCommand, args, 'force');
    const deps = { clock, listeners: workspaceListeners({ clock }) };
    return db.transaction(async (tx) => {
      const account = await findAccount(tx, user);
      const [{ workspaces, monitors }] = (await accountListStore.accounts(tx, { id: account.id })) as [ListedAccount];
      if (monitors > 0 && !force)
        throw new Fault(
          'precondition_failed',
          `${account.label} owns monitors (${monitors}): \`suspend\` keeps them, and --force deletes them with the account.`,
        );
      const onUserLeaving: UserLeaving = (...leaving) => deleteWorkspacesOfUser(deps, ...leaving);
      await deleteUserIn(tx, { onUserLeaving }, account.id, 'operator');
      return [
        `${account.label} is deleted with ${workspaces === 1 ? '1 workspace' : `${workspaces} workspaces`}. A person whom the provider and this installation admit gets a new account at the next sign-in.`,
      ];
    });
  },
};

export const USER_COMMANDS: readonly AdminCommand[] = [showCommand, createCommand, deleteCommand];

/** The options of a command about one account. */
export function userOf(
  command: Pick<AdminCommand, 'usage'>,
  args: readonly string[],
  flag: 'json' | 'force',
): { user: string; flag: boolean } {
  const { values } = parseOptions(command, args, { user: { type: 'string' }, [flag]: { type: 'boolean' } });
  if (typeof values['user'] !== 'string') throw usageFault(command, 'Name the account.');
  return { user: values['user'], flag: values[flag] === true };
}

function newUserOf(args: readonly string[]) {
  const { values } = parseOptions(createCommand, args, {
    subject: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    plan: { type: 'string' },
    json: { type: 'boolean' },
  });
  const { subject, email, name, json = false } = values;
  const plan = PLAN_NAMES.find((known) => known.toLowerCase() === values.plan?.toLowerCase());
  // The provider verifies the address when the person signs in.
  const profile = profileOf({ email, name });
  const faults = [
    ...(isSubject(subject) ? [] : ['Name the subject that the OpenID provider gives the person.']),
    ...(email !== undefined && profile.email === null ? [`${JSON.stringify(email)} is no email address.`] : []),
    ...(values.plan !== undefined && !plan ? [`The plans are ${PLAN_NAMES.join(', ')}.`] : []),
  ];
  if (faults.length > 0) throw usageFault(createCommand, faults.join('\n'));
  return { subject: subject!, profile, plan, json };
}

export function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function stateOf({ suspendedAt, trialEnds }: ListedAccount): string {
  return suspendedAt ? `suspended ${day(suspendedAt)}` : trialEnds ? `trial to ${day(trialEnds)}` : 'active';
}

export function emailOf({ email, emailVerified }: ListedAccount): string {
  return `${email ?? '-'}${email !== null && !emailVerified ? ' (not verified)' : ''}`;
}
