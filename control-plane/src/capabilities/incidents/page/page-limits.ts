/** How much of what an incident has its page shows: a page is small, whatever a site answered. */
export interface PageLimits {
  /** Failing attempts that are shown whole; of the others, the sentence and the time it took. */
  wholeAttempts: number;
  headers: number;
  /** Longest header value, record, sentence or name, characters. */
  valueChars: number;
  bodyChars: number;
  /** Regions whose DNS answers are told apart. */
  answers: number;
  certificates: number;
  /** Records of a type, and servers. */
  records: number;
  events: number;
}

/** The first that makes a page of at most `MOST_BYTES` is used; the last always does. */
export const PAGE_LIMITS: readonly PageLimits[] = [
  {
    wholeAttempts: 3,
    headers: 50,
    valueChars: 300,
    bodyChars: 2_048,
    answers: 8,
    certificates: 6,
    records: 20,
    events: 60,
  },
  {
    wholeAttempts: 1,
    headers: 25,
    valueChars: 160,
    bodyChars: 2_048,
    answers: 3,
    certificates: 5,
    records: 10,
    events: 40,
  },
  {
    wholeAttempts: 1,
    headers: 10,
    valueChars: 60,
    bodyChars: 500,
    answers: 1,
    certificates: 3,
    records: 4,
    events: 20,
  },
];

export const MOST_BYTES = 40_000;
