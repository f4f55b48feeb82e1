/**
 * The checks of a region are divided among agents by ownership shards, each with the monitors of every 16,384th key, so that
 * a process can read the monitors that move from one agent to another by an index (`monitor_shard_idx`).
 */
export const OWNERSHIP_SHARDS = 16_384;

export function shardOf(monitorKey: number): number {
  return monitorKey % OWNERSHIP_SHARDS;
}
