import { FairShare, type HeldSlot, type Tenancy } from '@watchpost/shared/fair-share';
import { AtOnce } from '@watchpost/shared/queues/at-once';
import { ProbeFault } from './probe-fault.js';

/** A quarter of the memory that our units allow an agent. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** As many as libuv has threads to decode with. Decoding takes up to 16 MiB for the window of Brotli. */
const DECODED_AT_ONCE = 4;

/** The memory for bodies that are searched for a keyword, shared among owners. */
export class BodyMemory {
  readonly #share: FairShare;
  readonly decoding = new AtOnce(DECODED_AT_ONCE);

  constructor(bytes = MEMORY_BYTES) {
    this.#share = new FairShare(Math.ceil(bytes / BLOCK_BYTES));
  }

  /** The memory of one check, to be released at its end. */
  use({ ownerKey }: Tenancy): BodyUse {
    return new BodyUse(this.#share, { ownerKey });
  }
}

/** The memory for the body of one check. */
export class BodyUse {
  readonly #blocks: HeldSlot[] = [];
  #bytes = 0;

  constructor(
    private readonly share: FairShare,
    private readonly tenancy: Tenancy,
  ) {}

  /** @returns the fault of the agent if there is no memory for more bytes */
  add(bytes: number): ProbeFault | null {
    this.#bytes += bytes;
    while (this.#blocks.length * BLOCK_BYTES < this.#bytes) {
      const refusal = this.share.refusal(this.tenancy);
      if (refusal !== null) return new ProbeFault(refusal === 'full' ? 'agent_body_memory' : 'own_body_memory');
      this.#blocks.push(this.share.take(this.tenancy));
    }
    return null;
  }

  release(): void {
    for (const block of this.#blocks.splice(0)) this.share.giveBack(block);
    this.#bytes = 0;
  }
}
