import { CHECK_KIND_CODES, CHECK_KINDS } from '@watchpost/shared/check';

/** The codes of the checks whose duration is a latency. A monitor has one of them, or none. */
export const LATENCY_KINDS = CHECK_KINDS.filter((kind) => kind !== 'ssl' && kind !== 'dns').map(
  (kind) => CHECK_KIND_CODES[kind],
);

/**
 * The columns in which results and rollups of pings count packets, those of failures too: pings neither connect nor encrypt, so
 * that no row needs columns of its own for them.
 */
export const PACKETS = { sent: 'connect_us', received: 'tls_us' } as const;

export const IS_PING = `kind = ${CHECK_KIND_CODES.ping}`;

/** SQL for the time of a phase in a column, µs. */
export function phaseOf(column: string): string {
  return Object.values<string>(PACKETS).includes(column) ? `CASE WHEN ${IS_PING} THEN 0 ELSE ${column} END` : column;
}
