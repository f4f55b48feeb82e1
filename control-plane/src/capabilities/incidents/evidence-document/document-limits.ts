/** How much evidence the document shows. It stays small whatever a site answered. */
export interface DocumentLimits {
  /** Failing attempts that are shown in full; the others show message and phase bar. */
  wholeAttempts: number;
  headers: number;
  /** Longest header value, record, sentence or name, in characters. */
  valueChars: number;
  bodyChars: number;
  /** Distinct DNS answers shown. */
  answers: number;
  certificates: number;
  /** Records per type, and name servers. */
  records: number;
  events: number;
}

/** Tried in order until the document fits into `MAX_DOCUMENT_BYTES`; with the last limits it always does. */
export const DOCUMENT_LIMITS: readonly DocumentLimits[] = [
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

export const MAX_DOCUMENT_BYTES = 40_000;
