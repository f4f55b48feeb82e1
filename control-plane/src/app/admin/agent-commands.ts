import { Fault } from '@watchpost/shared/fault';
import { REGIONS, parseRegion, type Region } from '@watchpost/shared/region';
import { HOUR_MS } from '@watchpost/shared/time';
import {
  createAgent,
  deleteAgent,
  drainAgent,
  listAgents,
  reissueAgentToken,
  resumeAgent,
  revokeAgent,
  type ListedAgent,
  type AgentReference,
} from '../../capabilities/fleet/index.js';
import type { AdminCommand } from './command.js';
import { formatTable } from './format-table.js';
import { parseOptions, usageFault } from './parse-options.js';

const REGION_NAMES = REGIONS.map(({ name }) => name).join(', ');
const ABOUT_TOKENS = [
  'The token is not kept anywhere and not shown again. Give it to the agent as AGENT_TOKEN.',
  'Over TLS it is good for one enrolment: the agent then has a certificate, and renews it by itself.',
];
const REFERENCE_USAGE = 'ID | --name N [--region R]';

const createCommand: AdminCommand = {
  name: 'agents create',
  usage: 'agents create --region R --name N [--json]',
  summary: 'Create an agent and print its token, which is shown only once.',
  check: createOptions,
  async run(deps, args) {
    const { name, region, json } = createOptions(args);
    const created = await createAgent(deps, { name, region });
    if (json) return [JSON.stringify({ agentId: created.agentId, token: created.token, region: created.region })];
    return [
      `agent:  ${name} (${created.agentId})`,
      `region: ${created.region}`,
      `token:  ${created.token}`,
      ...ABOUT_TOKENS,
    ];
  },
};

const reissueCommand: AdminCommand = {
  name: 'agents reissue',
  usage: `agents reissue ${REFERENCE_USAGE} [--json]`,
  summary: 'Print a new token for an agent whose machine lost its data; the former one is refused.',
  check: (args) => referenceOf(reissueCommand, args),
  async run(deps, args) {
    const { json, ...reference } = referenceOf(reissueCommand, args);
    const { agent, token } = await reissueAgentToken(deps, reference);
    if (json) return [JSON.stringify({ agentId: agent.id, token, region: agent.region })];
    return [`agent:  ${agent.name} (${agent.id})`, `region: ${agent.region}`, `token:  ${token}`, ...ABOUT_TOKENS];
  },
};

const listCommand: AdminCommand = {
  name: 'agents list',
  usage: 'agents list [--json]',
  summary: 'List the agents with the figures of their last heartbeat.',
  check: listOptions,
  async run(deps, args) {
    const { json } = listOptions(args);
    const agents = await listAgents(deps);
    if (json) return [JSON.stringify(agents.map(asJson), null, 2)];
    return formatTable(
      ['REGION', 'NAME', 'VERSION', 'STATE', 'LACKS', 'CHECKS', 'LAG P99', 'SPOOL', 'LAST SEEN', 'CERTIFICATE', 'ID'],
      agents.map((agent) => row(agent, deps.clock.now())),
    );
  },
};

function changing(verb: string, summary: string, change: typeof drainAgent, outcome: string): AdminCommand {
  const command: AdminCommand = {
    name: `agents ${verb}`,
    usage: `agents ${verb} ${REFERENCE_USAGE}`,
    summary,
    check: (args) => referenceOf(command, args),
    async run(deps, args) {
      const { id, name, region } = await change(deps, referenceOf(command, args));
      return [`${name} (${id}) in ${region} ${outcome}.`];
    },
  };
  return command;
}

export const AGENT_COMMANDS: readonly AdminCommand[] = [
  createCommand,
  reissueCommand,
  listCommand,
  changing(
    'drain',
    'Move the checks of an agent to another agent of its region as soon as one is connected.',
    drainAgent,
    'drains',
  ),
  changing('resume', 'Return checks to an agent that drains.', resumeAgent, 'takes checks again'),
  changing('revoke', 'Refuse an agent from now on. This cannot be undone.', revokeAgent, 'is revoked'),
  changing(
    'delete',
    'Delete an agent that left, with its token and certificates; refused while it is connected.',
    deleteAgent,
    'is deleted',
  ),
];

function createOptions(args: readonly string[]): { name: string; region: Region; json: boolean } {
  const { values } = parseOptions(createCommand, args, {
    region: { type: 'string' },
    name: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!values.region || !values.name) throw usageFault(createCommand, 'Name the region and the agent.');
  return { name: values.name, region: regionOf(values.region), json: values.json ?? false };
}

function listOptions(args: readonly string[]): { json: boolean } {
  const { values } = parseOptions(listCommand, args, { json: { type: 'boolean' } });
  return { json: values.json ?? false };
}

function referenceOf(command: AdminCommand, args: readonly string[]): AgentReference & { json: boolean } {
  const { values, positionals } = parseOptions(
    command,
    args,
    {
      name: { type: 'string' },
      region: { type: 'string' },
      ...(command === reissueCommand ? { json: { type: 'boolean' } as const } : {}),
    },
    true,
  );
  const names = [...positionals, ...(values.name ? [values.name] : [])];
  if (names.length !== 1) throw usageFault(command, 'Name one agent.');
  return {
    idOrName: names[0]!,
    region: values.region ? regionOf(values.region) : null,
    json: values.json === true,
  };
}

function regionOf(text: string): Region {
  const region = parseRegion(text);
  if (!region)
    throw new Fault(
      'validation_failed',
      `There is no region ${JSON.stringify(text)}; the regions are ${REGION_NAMES}.`,
    );
  return region;
}

function asJson(agent: ListedAgent) {
  const { id, name, region, state, status, version, checks, spoolDepth, lagP99Us, lastSeen, created } = agent;
  return {
    agentId: id,
    name,
    region,
    state,
    status,
    version,
    checks,
    spoolDepth,
    lagP99Ms: lagP99Us / 1_000,
    visibility: agent.visibility,
    lacks: agent.lacks,
    lastSeen: lastSeen?.toISOString() ?? null,
    created: created.toISOString(),
    certificateExpires: agent.certificateExpires?.toISOString() ?? null,
  };
}

function row(agent: ListedAgent, nowMs: number): string[] {
  return [
    agent.region,
    agent.name,
    agent.version ?? '-',
    agent.state,
    agent.lacks.join() || '-',
    String(agent.checks),
    `${(agent.lagP99Us / 1_000).toFixed(1)} ms`,
    String(agent.spoolDepth),
    agent.lastSeen ? `${Math.max(0, Math.round((nowMs - agent.lastSeen.getTime()) / 1_000))} s ago` : 'never',
    certificateLeft(agent.certificateExpires, nowMs),
    agent.id,
  ];
}

function certificateLeft(expires: Date | null, nowMs: number): string {
  if (expires === null) return '-';
  const hours = Math.floor((expires.getTime() - nowMs) / HOUR_MS);
  if (hours < 0) return 'expired';
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
