/** Where a check connects to. */
export interface Place {
  /** Without brackets. */
  host: string;
  port: number;
  /** The host if it is an address, which needs no lookup. */
  address: string | null;
}
