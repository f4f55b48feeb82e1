import { z } from 'zod';
import { route, type Route } from '../http/route.js';
import { FOR_ANYBODY } from '../http/schemas.js';
import { PROTOCOL_VERSIONS, STATELESS_VERSION } from './protocol-versions.js';
import type { Tool } from './tool.js';

/** The path of the endpoint; with the address of the service in front it names the protected resource (RFC 8707, RFC 9728). */
export const MCP_PATH = '/mcp';

export interface DiscoveryDeps {
  version: string;
  /** Where callers reach this service, without a slash at the end. */
  baseUrl: string;
  /** Whose tokens are taken. */
  issuer: string;
  /** The provider's own metadata, passed on; null where the provider runs here and answers by itself. */
  authorizationServer: (() => Promise<Record<string, unknown>>) | null;
  tools: readonly Tool[];
}

const strings = z.array(z.string());
const cardSchema = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    version: z.string(),
    description: z.string(),
    endpoint: z.string(),
    transport: z.literal('streamable-http'),
    protocolVersion: z.string().describe('Spoken by every client'),
    protocolVersions: strings.describe('Newest first; a client gets the one that it asks for'),
    capabilities: z.strictObject({ tools: z.boolean(), resources: z.boolean(), prompts: z.boolean() }),
    authentication: z.strictObject({
      type: z.literal('oauth2'),
      scheme: z.literal('Bearer'),
      authorizationServers: strings,
      authorizationServerMetadata: z.string(),
      protectedResourceMetadata: z.string(),
      scopes: strings,
      anonymousMethods: strings.describe('Need no token'),
      anonymousTools: strings.describe('Need no token'),
    }),
  })
  .meta({ id: 'McpServerCard' });
const resourceSchema = z
  .strictObject({
    resource: z.string(),
    resource_name: z.string(),
    authorization_servers: strings,
    scopes_supported: strings,
    bearer_methods_supported: z.array(z.literal('header')),
  })
  .meta({ id: 'McpProtectedResource' });

/** The finest scope of each tool: all that a client needs to ask for. */
export function scopesOfTools(tools: readonly Tool[]): string[] {
  const finest = tools.flatMap(({ access }) => (access === 'anonymous' ? [] : access.scopes.slice(-1)));
  return [...new Set(finest)].toSorted();
}

/** The documents by which an assistant finds its way from a host name to a token. */
export function discoveryRoutes(deps: DiscoveryDeps): Route[] {
  const { version, baseUrl, issuer, authorizationServer, tools } = deps;
  const scopes = scopesOfTools(tools);
  const anonymousTools = tools.filter(({ access }) => access === 'anonymous').map(({ name }) => name);
  const resourceMetadata = `/.well-known/oauth-protected-resource${MCP_PATH}`;
  const serverMetadata = '/.well-known/oauth-authorization-server';
  const routes = [
    route({
      ...FOR_ANYBODY,
      path: '/.well-known/mcp.json',
      operationId: 'getMcpServerCard',
      summary: 'Where the MCP server is, what it speaks, and whose tokens it takes',
      answers: { 200: { description: 'The card', schema: cardSchema } },
      handle: () =>
        Promise.resolve({
          body: {
            name: 'watchpost',
            title: 'Watchpost',
            version,
            description: 'Website monitoring: monitors, uptime, incidents and one-off checks.',
            endpoint: baseUrl + MCP_PATH,
            transport: 'streamable-http',
            protocolVersion: PROTOCOL_VERSIONS.at(-1)!,
            protocolVersions: [STATELESS_VERSION, ...PROTOCOL_VERSIONS],
            capabilities: { tools: true, resources: true, prompts: true },
            authentication: {
              type: 'oauth2',
              scheme: 'Bearer',
              authorizationServers: [issuer],
              authorizationServerMetadata: baseUrl + serverMetadata,
              protectedResourceMetadata: baseUrl + resourceMetadata,
              scopes,
              anonymousMethods: [
                'initialize',
                'ping',
                'prompts/get',
                'prompts/list',
                'resources/list',
                'resources/templates/list',
                'server/discover',
                'subscriptions/listen',
                'tools/list',
              ],
              anonymousTools,
            },
          },
        }),
    }),
    route({
      ...FOR_ANYBODY,
      path: resourceMetadata,
      operationId: 'getMcpProtectedResource',
      summary: 'Whose tokens the MCP server takes, and for which scopes (RFC 9728)',
      answers: { 200: { description: 'The metadata', schema: resourceSchema } },
      handle: () =>
        Promise.resolve({
          body: {
            resource: baseUrl + MCP_PATH,
            resource_name: 'Watchpost MCP server',
            authorization_servers: [issuer],
            scopes_supported: scopes,
            bearer_methods_supported: ['header'],
          },
        }),
    }),
  ];
  if (authorizationServer) {
    routes.push(
      route({
        ...FOR_ANYBODY,
        path: serverMetadata,
        operationId: 'getAuthorizationServer',
        summary: "The identity provider's metadata, as it publishes them (RFC 8414)",
        answers: {
          200: { description: 'The metadata', schema: z.record(z.string(), z.unknown()) },
        },
        faults: ['unavailable'],
        run: authorizationServer,
      }),
    );
  }
  return routes;
}
