/** A query or a pattern that cannot be read. */
export class SyntaxFault extends Error {
  /** @param column from 1 */
  constructor(
    message: string,
    readonly column: number,
  ) {
    super(message);
  }
}
