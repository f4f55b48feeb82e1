import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolResult,
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Fault } from '@watchpost/shared/fault';
import { describeIssues, issueSentence } from '../http/reading/describe-issues.js';
import { resultOfFault, rpcErrorOf, withDetails } from './answer-fault.js';
import { callTool, type CallContext, type CallDeps } from './call-tool.js';
import type { ToolDescriptions } from './describe-tool.js';
import { CONTEXT_METHODS, hasContext } from './context.js';
import { PROTOCOL_VERSIONS } from './protocol-versions.js';
import { errorResponse, RPC, RpcError } from './rpc-error.js';

type ContextSchema =
  | typeof ListResourcesRequestSchema
  | typeof ListResourceTemplatesRequestSchema
  | typeof ReadResourceRequestSchema
  | typeof ListPromptsRequestSchema
  | typeof GetPromptRequestSchema;

export interface AnswerDeps extends CallDeps {
  descriptions: ToolDescriptions;
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
}

const CONTEXT_SCHEMAS = new Map<string, ContextSchema>([
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
]);
/** Checks of a request's parameters before the SDK reads it, which would answer an internal error. */
const PARAMS = new Map<
  string,
  typeof InitializeRequestSchema | typeof ListToolsRequestSchema | typeof CallToolRequestSchema | ContextSchema
>([
  ...CONTEXT_SCHEMAS,
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
]);
/** Only for what clients send back when they are asked something, which they never are here: one for all. */
const validator = new AjvJsonSchemaValidator();

/**
 * Answers one request with a server of its own, so that nothing is kept between requests, and two messages of one batch
 * may have the same id.
 * @returns the response, as JSON
 */
export async function answerMessage(deps: AnswerDeps, request: JSONRPCRequest, context: CallContext): Promise<string> {
  const fault = faultInParams(request);
  if (fault) return JSON.stringify(errorResponse(request.id, fault));
  const { serverInfo, instructions, descriptions } = deps;
  const offersContext = hasContext(versionOf(request, context));
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, ...(offersContext && { resources: {}, prompts: {} }) },
    instructions,
    jsonSchemaValidator: validator,
  });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: await descriptions.of(context.version, context.caller),
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    // As they came: the SDK's copy leaves out what it does not like, and the tool is to refuse that. Nothing is asked here.
    ({ params }) =>
      callTool(deps, context, params.name, request.params?.['arguments'] ?? {}) as Promise<CallToolResult>,
  );
  if (offersContext)
    for (const [method, schema] of CONTEXT_SCHEMAS)
      server.setRequestHandler(
        schema as typeof ListPromptsRequestSchema,
        ({ params }) => CONTEXT_METHODS[method]!(deps, context, params ?? {}) as { prompts: [] },
      );
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const answered = new Promise<JSONRPCMessage>((resolve) => Object.assign(client, { onmessage: resolve }));
  await server.connect(transport);
  try {
    await client.send(withoutTask(request));
    return JSON.stringify(await answered);
  } finally {
    await server.close();
  }
}

/** The version that an answer is of: of `initialize` the one that is agreed on, as the SDK does. */
function versionOf({ method, params }: JSONRPCRequest, { version }: CallContext): string {
  if (method !== 'initialize') return version;
  const asked = String(params?.['protocolVersion']);
  return PROTOCOL_VERSIONS.includes(asked) ? asked : PROTOCOL_VERSIONS[0]!;
}

/** The response to a request that exceeds the rate of its caller: for a tool call a result, which an assistant reads. */
export function refuseMessage(
  deps: AnswerDeps,
  { id, method, params }: JSONRPCRequest,
  fault: Fault,
  requestId: string,
) {
  if (method !== 'tools/call') return JSON.stringify(errorResponse(id, rpcErrorOf(fault, requestId)));
  return JSON.stringify({ jsonrpc: '2.0', id, result: refuseCall(deps, params?.['name'], fault, requestId) });
}

/** The result of a call that exceeds the rate of its caller. */
export function refuseCall({ tools, metrics }: CallDeps, name: unknown, fault: Fault, requestId: string) {
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  metrics.called(tool?.name ?? 'unknown', fault.code, 0);
  return resultOfFault(fault, requestId);
}

/** Finds what is wrong with the parameters of a request that the SDK would answer as an internal error. */
export function faultInParams(request: JSONRPCRequest): RpcError | undefined {
  const schema = PARAMS.get(request.method);
  const parsed = schema?.safeParse(request, { error: issueSentence });
  if (parsed && !parsed.success) {
    const details = describeIssues(parsed.error.issues, 'is not a parameter of this method');
    return new RpcError(RPC.invalidParams, withDetails('Correct the parameters named in `details`.', details), {
      details,
    });
  }
  // All tools come at once, so no cursor was ever given out.
  if (request.method === 'tools/list' && request.params?.['cursor'] !== undefined)
    return new RpcError(RPC.invalidParams, 'There is no such cursor: all tools come in one answer.');
  return undefined;
}

/** Tasks are not offered here, and then what asks for one is passed over (MCP 2025-11-25, tasks). */
export function withoutTask(request: JSONRPCRequest): JSONRPCRequest {
  if (request.params?.['task'] === undefined) return request;
  const { task: _, ...params } = request.params;
  return { ...request, params };
}
