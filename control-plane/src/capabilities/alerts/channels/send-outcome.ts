/** What came of one try. `answer` is one sentence for people, without anything that the receiver wrote. */
export type SendOutcome =
  | { kind: 'sent'; statusCode: number | null; answer: string }
  /** To be tried again. */
  | { kind: 'failed'; statusCode: number | null; answer: string; retryAfterMs?: number }
  /** The server that we send through cannot be used: nothing got as far as the destination. */
  | { kind: 'unavailable'; statusCode: number | null; answer: string; retryAfterMs: number }
  /** No other try would do better. */
  | { kind: 'rejected'; statusCode: number | null; answer: string }
  /** 410: the receiver wants nothing more, ever. */
  | { kind: 'gone'; statusCode: number; answer: string };
