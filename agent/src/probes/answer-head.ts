export interface AnswerHead {
  statusCode: number;
  /** Alternating lower-case names and values, in the order in which they were sent. */
  headers: readonly string[];
  /** What is wrong with the answer and does not keep browsers from showing it, as sentences; left out without any. */
  notes?: readonly string[];
  /** The body ends with the connection, whatever the headers state. */
  isUnframed?: true;
}

/** The values of a header, in the order in which they were sent. */
export function valuesOf(head: AnswerHead, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < head.headers.length; index += 2) {
    if (head.headers[index] === name) values.push(head.headers[index + 1]!);
  }
  return values;
}

/** All values of a header, joined as in RFC 9110 §5.2; undefined without any. */
export function headerOf(head: AnswerHead, name: string): string | undefined {
  const values = valuesOf(head, name);
  return values.length === 0 ? undefined : values.join(', ');
}
