import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { readSyntax } from '@watchpost/shared/assertions/syntax';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import { inSlices } from '../jobs/in-slices.js';
import { RequestOver } from '../db/request-context.js';
import { faultOf } from '../http/answering/on-error.js';
import { scopesAllow } from '../http/scopes.js';
import { parse } from '../http/reading/read-input.js';
import { roleAllows, type Actor, type Caller, type WorkspaceAccess } from '../identity/caller.js';
import { resultOfFault } from './answer-fault.js';
import type { McpMetrics } from './mcp-metrics.js';
import { visible } from './monitored-data.js';
import { hasStructuredContent } from './protocol-versions.js';
import { type Elicitation, requireConsent } from './require-consent.js';
import { RPC, RpcError } from './rpc-error.js';
import type { MemberAccess, Tool, ToolAnswer } from './tool.js';

/** The caller of one HTTP request: all messages of a batch share it. */
export interface CallContext {
  requestId: string;
  remoteAddress: string;
  version: string;
  /** What the session's client calls itself. */
  client: string | null;
  /** Set where some tool of the request needs it. */
  caller: Caller | undefined;
  /** Null where the client cannot ask its user. */
  elicitation: Elicitation | null;
  /** The workspace that the request names, else the only one of the caller. @throws Fault no_workspace_context, member_suspended */
  resolveWorkspace(caller: Caller): Promise<WorkspaceAccess>;
}

export interface CallDeps {
  tools: ReadonlyMap<string, Tool>;
  metrics: McpMetrics;
  /** @throws Fault feature_not_in_plan */
  requireFeature(workspaceId: string, feature: 'mcpRead' | 'mcpWrite'): Promise<void>;
  /** As for answers over HTTP. */
  nameCodes(workspaceId: string | null, text: string): Promise<string>;
  /** Reports internal errors. */
  onError(error: unknown, requestId: string): void;
}

/**
 * Runs one tool: token, scope, workspace, role, arguments and plan are checked in this order, then the verb decides.
 * @throws RpcError for all but what the domain refuses, which is a result
 */
export async function callTool(
  deps: CallDeps,
  context: CallContext,
  name: string,
  args: unknown,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = deps.tools.get(name);
  if (!tool) {
    deps.metrics.called('unknown', 'validation_failed', 0);
    throw new RpcError(RPC.invalidParams, `There is no tool of this name; tools/list names all ${deps.tools.size}.`);
  }
  const startedAt = performance.now();
  const done = (outcome: string) => deps.metrics.called(name, outcome, performance.now() - startedAt);
  try {
    const answer = await run(deps, context, tool, args);
    done('ok');
    if ('question' in answer) return answer.question;
    return resultOf(answer, context.version);
  } catch (error) {
    if (error instanceof RequestOver) throw error;
    const fault = faultOf(error);
    done(fault.code);
    if (fault.code === 'internal_error') deps.onError(error, context.requestId);
    return resultOfFault(fault, context.requestId);
  }
}

/** Runs a tool that asks nothing, for what is read by another way than a call. @throws what the tool throws */
export async function runTool(deps: CallDeps, context: CallContext, name: string, args: unknown): Promise<ToolAnswer> {
  const answer = await run(deps, context, deps.tools.get(name)!, args);
  if ('question' in answer) throw new Error(`${name} asks a person`);
  return answer;
}

async function run(
  deps: CallDeps,
  context: CallContext,
  tool: Tool,
  args: unknown,
): Promise<ToolAnswer | { question: InputRequiredResult }> {
  const { access } = tool;
  const { remoteAddress, caller } = context;
  // An anonymous tool never reads the actor, by its declaration.
  if (access === 'anonymous') {
    const answer = await tool.handle({
      args: readArguments(tool, args),
      actor: undefined as unknown as Actor,
      remoteAddress,
    });
    return visible(answer) as ToolAnswer;
  }
  if (!caller) throw new Fault('missing_token', 'Send an access token as `Authorization: Bearer …`.');
  requireToolScope(access, caller);
  const workspace = await context.resolveWorkspace(caller);
  requireToolRole(access, workspace);
  await readSyntax(args, inSlices());
  const parsed = readArguments(tool, args);
  await deps.requireFeature(workspace.workspaceId, access.feature);
  const given = parsed as Readonly<Record<string, unknown>>;
  const question = tool.consent && requireConsent(tool.consent(given), given, context.elicitation);
  if (question) return { question };
  const { client, requestId } = context;
  const via = { channel: 'mcp', client, tool: tool.name, requestId, remoteAddress: remoteAddress || null } as const;
  const actor: Actor = { caller, workspace, via };
  const { json, structured, ...others } = await tool.handle({ args: parsed, actor, remoteAddress });
  const named = await deps.nameCodes(workspace.workspaceId, JSON.stringify({ json, structured }));
  // Whichever fields have texts from outside, now or later.
  return { ...others, ...(visible(JSON.parse(named)) as Pick<ToolAnswer, 'json' | 'structured'>) };
}

/** @throws Fault insufficient_scope */
export function requireToolScope({ scopes }: MemberAccess, caller: Caller): void {
  if (scopesAllow(caller.scopes, scopes)) return;
  throw new Fault('insufficient_scope', `This tool needs a token with one of these scopes: ${scopes.join(', ')}.`);
}

/** @throws Fault insufficient_workspace_role */
export function requireToolRole({ role }: MemberAccess, workspace: WorkspaceAccess): void {
  if (roleAllows(workspace.role, role)) return;
  throw new Fault(
    'insufficient_workspace_role',
    `This tool needs the role ${role}; yours in this workspace is ${workspace.role}.`,
  );
}

function readArguments(tool: Tool, args: unknown): unknown {
  const details: FaultDetail[] = [];
  const parsed = parse(tool.input, args, details, 'is not an argument of this tool');
  if (details.length === 0) return parsed;
  throw new Fault('validation_failed', 'Correct the arguments named in `details`.', details);
}

function resultOf({ json, structured, note, page }: ToolAnswer, version: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(json) },
      ...(note === undefined ? [] : [{ type: 'text' as const, text: note }]),
    ],
    ...(hasStructuredContent(version) ? { structuredContent: structured } : {}),
    ...(page === undefined ? {} : { _meta: { 'watchpost/page': page } }),
  };
}
