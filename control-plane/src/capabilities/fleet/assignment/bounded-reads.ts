import type { Database, Tx } from '../../../platform/db/database.js';

/** Reads at a time: more would not be faster, and take the connections from results and requests. */
const MOST_READS = 4;

/**
 * The reads of all assignments of this process, a few at a time. The walk that began first is served first, so that the
 * first agents have their checks early, instead of all of them at the end; a walk for the checks of a lost agent comes before
 * all others. A place is not held while a message is sent: an agent that reads slowly delays itself only. Each session has
 * one read here at most.
 */
export class BoundedReads {
  private running = 0;
  private places = 0;
  private readonly waiting: { place: number; start(): void }[] = [];

  constructor(
    private readonly db: Pick<Database, 'read'>,
    private readonly most = MOST_READS,
  ) {}

  /** How many reads wait. */
  get depth(): number {
    return this.waiting.length;
  }

  /** Begins a walk, of which all reads have one place. @param isUrgent it is for checks that nobody may be running */
  begin(isUrgent: boolean): Pick<Database, 'read'> {
    const place = this.places++ - (isUrgent ? Number.MAX_SAFE_INTEGER / 2 : 0);
    return { read: (work) => this.read(place, work) };
  }

  private async read<T>(place: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    // The one that ends passes its turn on.
    else await new Promise<void>((start) => this.waiting.push({ place, start }));
    try {
      return await this.db.read(work);
    } finally {
      this.passOn();
    }
  }

  private passOn(): void {
    let first = 0;
    for (let index = 1; index < this.waiting.length; index++)
      if (this.waiting[index]!.place < this.waiting[first]!.place) first = index;
    const [next] = this.waiting.splice(first, 1);
    if (next) next.start();
    else this.running--;
  }
}
