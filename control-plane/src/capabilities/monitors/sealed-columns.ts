import type { SealedColumn } from '../../platform/db/sealed-column.js';
import { sealContext } from './heartbeat/ping-token.js';

export const SEALED_MONITOR_COLUMNS: readonly SealedColumn[] = [
  { table: 'monitor', column: 'secrets', reads: ['id'], context: ({ id }) => id! },
  { table: 'ping_token', column: 'sealed', reads: ['monitor_id'], context: ({ monitor_id: id }) => sealContext(id!) },
];
