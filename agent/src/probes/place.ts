/** The place to which a check connects. */
export interface Place {
  /** Without brackets. */
  host: string;
  port: number;
  /** The host if it is an address, which needs no lookup. */
  address: string | null;
}
