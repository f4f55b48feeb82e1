import type { Database, Tx } from '../../../platform/db/database.js';
import { LoopTurns } from '../../../platform/jobs/loop-turns.js';

/** Reads at a time: more would not be faster, and take the connections from results and requests. */
const MOST_READS = 4;
/** Monitors of which the checks are made in one turn of the event loop: some 3 ms. */
export const MONITORS_PER_TURN = 100;

/** A read of which several that wait can be one. */
export interface JoinableRead<Read, Answer> {
  /** Reads with the same name ask for parts of the same. */
  name: string;
  /** What is asked for, such as the keys of monitors. */
  keys: readonly number[];
  /** So many keys at most are read at once. */
  mostKeys: number;
  /** Reads what belongs to these keys. */
  run(tx: Tx, keys: readonly number[]): Promise<Read>;
  /** Makes the answer of what was read, while no connection is held. It contains what others asked for. */
  make(read: Read): Answer | Promise<Answer>;
}

export interface WalkReads extends Pick<Database, 'read'> {
  /** Reads together with others that wait, where the walk is urgent. */
  readJoined<Read, Answer>(read: JoinableRead<Read, Answer>): Promise<Answer>;
  /** Waits for a turn of the event loop in which to make the checks of so many monitors. */
  turn(monitors: number): Promise<void>;
}

/** Reads that are one, and wait. */
interface Joined {
  readonly name: string;
  readonly keys: number[];
  answer?: Promise<unknown>;
}

/**
 * The reads of all assignments of this process, a few at a time, with what is made of their answers. The walk that began
 * first is served first, so that the first agents have their checks early, instead of all of them at the end; a walk for
 * the checks of a lost agent comes before all others. All other agents of its region walk then, each for a few checks, so
 * that their reads are joined while they wait. A place is not held while a message is sent: an agent that reads slowly
 * delays itself only. Each session has one read here at most.
 */
export class BoundedReads {
  private running = 0;
  private places = 0;
  private readonly turns = new LoopTurns(MONITORS_PER_TURN);
  private readonly waiting: { place: number; joined: Joined | undefined; start(): void }[] = [];

  constructor(
    private readonly db: Pick<Database, 'read'>,
    private readonly most = MOST_READS,
  ) {}

  get depth(): number {
    return this.waiting.length;
  }

  /** Begins a walk, of which all reads have one place. @param isUrgent it is for checks that nobody may be running */
  begin(isUrgent: boolean): WalkReads {
    const place = this.places++ - (isUrgent ? Number.MAX_SAFE_INTEGER / 2 : 0);
    return {
      read: (work) => this.read(place, () => this.db.read(work)),
      turn: (monitors) => this.turns.take(monitors),
      readJoined: (read) =>
        isUrgent ? this.readJoined(place, read) : this.read(place, () => this.answer(read, read.keys)),
    };
  }

  private readJoined<Read, Answer>(place: number, read: JoinableRead<Read, Answer>): Promise<Answer> {
    const { name, keys, mostKeys } = read;
    const other = this.waiting.find(
      ({ joined }) => joined?.name === name && joined.keys.length + keys.length <= mostKeys,
    )?.joined;
    if (other) {
      other.keys.push(...keys);
      return other.answer as Promise<Answer>;
    }
    const joined: Joined = { name, keys: [...keys] };
    const answer = this.read(place, () => this.answer(read, joined.keys), joined);
    joined.answer = answer;
    return answer;
  }

  private async answer<Read, Answer>(
    { run, make }: JoinableRead<Read, Answer>,
    keys: readonly number[],
  ): Promise<Answer> {
    return make(await this.db.read((tx) => run(tx, keys)));
  }

  private async read<T>(place: number, work: () => Promise<T>, joined?: Joined): Promise<T> {
    if (this.running < this.most) this.running++;
    // The one that ends passes its turn on.
    else await new Promise<void>((start) => this.waiting.push({ place, joined, start }));
    try {
      return await work();
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
