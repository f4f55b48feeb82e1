/** The ids by which a service knows a message that it took: with them the message is edited and answered. */
export type MessageHandle = Readonly<Record<string, string>>;

/** The outcome of one attempt. `answer` is one sentence for people and contains nothing that the receiver wrote. */
export type SendOutcome =
  | { kind: 'sent'; statusCode: number | null; answer: string; handle?: MessageHandle }
  /** The attempt is retried. */
  | { kind: 'failed'; statusCode: number | null; answer: string; retryAfterMs?: number }
  /** The server that messages go through is unavailable: the destination was not reached. */
  | { kind: 'unavailable'; statusCode: number | null; answer: string; retryAfterMs: number }
  /** Permanent: a retry would fail too. */
  | { kind: 'rejected'; statusCode: number | null; answer: string }
  /** 410: the receiver wants no more messages. */
  | { kind: 'gone'; statusCode: number; answer: string };
