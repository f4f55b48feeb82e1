import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** Versions are dates, so their order is that of their text. Newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version >= '2024-11-05',
);

/** What holds for a request that tells no version and belongs to no session (MCP 2025-06-18, transports). */
export const UNTOLD_VERSION = '2025-03-26';

/** Whether several messages may come in one request: gone with 2025-06-18. */
export function takesBatches(version: string): boolean {
  return version <= '2025-03-26';
}

/** Whether results have `structuredContent` and tools an `outputSchema`. */
export function hasStructuredContent(version: string): boolean {
  return version >= '2025-06-18';
}
