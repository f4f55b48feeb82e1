/** Status and headers of a response. */
export interface AnswerHead {
  statusCode: number;
  /** Alternating lower-case names and values, in the order in which they were sent. */
  headers: readonly string[];
}

/** All values of a header, joined as in RFC 9110 §5.2; undefined without any. */
export function headerOf(head: AnswerHead, name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < head.headers.length; index += 2) {
    if (head.headers[index] === name)
      value = value === undefined ? head.headers[index + 1]! : `${value}, ${head.headers[index + 1]!}`;
  }
  return value;
}
