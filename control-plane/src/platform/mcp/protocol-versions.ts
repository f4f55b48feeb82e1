import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** Those with sessions. Versions are dates, so their order is that of their text. Newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version >= '2024-11-05',
);

/** Without sessions and `initialize`: each request brings what earlier versions agreed on once. */
export const STATELESS_VERSION = '2026-07-28';

/** The version of a request that names none and belongs to no session (MCP 2025-06-18, transports). */
export const DEFAULT_VERSION = '2025-03-26';

/** Whether several messages may come in one request: gone with 2025-06-18. */
export function takesBatches(version: string): boolean {
  return version <= '2025-03-26';
}

/** Whether results have `structuredContent` and tools an `outputSchema`. */
export function hasStructuredContent(version: string): boolean {
  return version >= '2025-06-18';
}
