/** A message that can never be accepted; the text states why. */
export class WireError extends Error {
  override readonly name = 'WireError';
  constructor(
    message: string,
    /** The sequence number of the result at fault, where it is known. */
    readonly refusedSequence?: number,
  ) {
    super(message);
  }
}

/** @throws WireError for bytes that are no message of this type */
export function decodeFrame<T>(type: { decode(frame: Uint8Array): T }, frame: Uint8Array): T {
  try {
    return type.decode(frame);
  } catch (error) {
    // The reader throws RangeError and Error alike.
    throw new WireError(`not a message of the contract: ${error instanceof Error ? error.message : String(error)}`);
  }
}
