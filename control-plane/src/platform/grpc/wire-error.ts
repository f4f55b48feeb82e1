/** What a peer sent can never be accepted, and this is what is wrong with it. */
export class WireError extends Error {
  override readonly name = 'WireError';
  constructor(
    message: string,
    /** The result at fault, where it can be told. */
    readonly refusedSequence?: number,
  ) {
    super(message);
  }
}
