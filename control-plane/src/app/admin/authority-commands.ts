import {
  describeAuthorities,
  describeDependent,
  retireAuthority,
  rotateAuthority,
  type Authorities,
} from '../../capabilities/fleet/index.js';
import type { AdminCommand } from './command.js';
import { formatTable } from './format-table.js';
import { parseOptions } from './parse-options.js';
import { openSecretBox } from './open-admin-database.js';

const listCommand: AdminCommand = {
  name: 'authority list',
  usage: 'authority list [--json]',
  summary:
    'Show the authority of agents’ certificates; while it is replaced, both, and the agents that depend on the older one.',
  check: (args) => optionsOf(listCommand, args, 'json'),
  async run(deps, args) {
    const described = await describeAuthorities(deps);
    return optionsOf(listCommand, args, 'json') ? [JSON.stringify(described, null, 2)] : table(described);
  },
};

const rotateCommand: AdminCommand = {
  name: 'authority rotate',
  usage: 'authority rotate',
  summary: 'Make a new authority beside the present one; agents change to it by themselves within a week.',
  check: (args) => optionsOf(rotateCommand, args),
  async run(deps) {
    const described = await rotateAuthority({ ...deps, secretBox: await openSecretBox(deps.config) });
    return [
      ...table(described),
      'Agents trust the newer authority after their next renewal. When no agent depends on the older one, run:',
      '  authority retire',
    ];
  },
};

const retireCommand: AdminCommand = {
  name: 'authority retire',
  usage: 'authority retire [--force]',
  summary: 'End the older authority; refused while agents depend on it, unless --force is given.',
  check: (args) => optionsOf(retireCommand, args, 'force'),
  async run(deps, args) {
    const { authorities, dependents } = await retireAuthority(deps, { force: optionsOf(retireCommand, args, 'force') });
    return [
      ...table({ authorities, dependents: [] }),
      'Within a minute all processes sign with it and trust no other.',
      ...(dependents.length > 0 ? ['Locked out, until `agents reissue` gives them a new token:'] : []),
      ...dependents.map(describeDependent),
    ];
  },
};

export const AUTHORITY_COMMANDS: readonly AdminCommand[] = [listCommand, rotateCommand, retireCommand];

function table({ authorities, dependents }: Authorities): string[] {
  return [
    ...formatTable(
      ['AUTHORITY', 'CREATED', 'ROLE', 'HASH IN TOKENS'],
      authorities.map(({ id, created, role, pin }) => [id, created.toISOString(), role, pin]),
    ),
    ...(dependents.length > 0 ? ['Agents that depend on the older authority:'] : []),
    ...dependents.map(describeDependent),
  ];
}

/** @returns whether the one option that the command has is given */
function optionsOf(command: AdminCommand, args: readonly string[], option?: string): boolean {
  const options = option === undefined ? {} : { [option]: { type: 'boolean' as const } };
  const { values } = parseOptions(command, args, options);
  return option !== undefined && values[option] === true;
}
