import { toTheEnd } from '../../platform/db/request-context.js';
import type { BuildWork } from './build-work.js';
import type { PackedText } from './pack-text.js';
import { postsOf, type PublicPageView } from './public-page-schemas.js';

export type MakeForm = (view: PublicPageView, work: BuildWork) => Promise<PackedText>;
type Run = <T>(build: (work: BuildWork) => Promise<T>) => Promise<T>;

/** Approximate memory of a span, sample or update of a post, without its text, in bytes. */
const BYTES_AN_OBJECT = 150;
/** Memory of a character, in bytes; half of it where the text is all Latin-1. */
const BYTES_A_CHARACTER = 2;

/** A status page at a moment, in the forms in which it is sent. Each form is made once for all visitors. */
export class BuiltPage {
  readonly startedMs: number;
  readonly untilMs: number;
  readonly #making = new Map<string, Promise<PackedText>>();
  readonly #ready = new Map<string, PackedText>();
  /** The forms of the former build, used until this build has made the same form. */
  readonly #former = new Map<string, { text: PackedText; startedMs: number }>();
  readonly #viewBytes: number;

  constructor(
    private readonly view: PublicPageView,
    when: { startedMs: number; untilMs: number },
    private readonly run: Run,
    former?: BuiltPage,
  ) {
    this.startedMs = when.startedMs;
    this.untilMs = when.untilMs;
    this.#viewBytes = BYTES_AN_OBJECT * objectsOf(view) + BYTES_A_CHARACTER * charactersOf(view);
    if (!former) return;
    this.#former = new Map(former.#former);
    for (const [name, text] of former.#ready) this.#former.set(name, { text, startedMs: former.startedMs });
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const texts = [...this.#ready.values(), ...[...this.#former.values()].map(({ text }) => text)];
    return texts.reduce((sum, { plain, packed }) => sum + plain.length + (packed?.length ?? 0), this.#viewBytes);
  }

  /** A form that can be sent at once: of this build, or of a former one not older than `sinceMs`. */
  ready(name: string, sinceMs: number): PackedText | undefined {
    const own = this.#ready.get(name);
    if (own) return this.startedMs >= sinceMs ? own : undefined;
    const former = this.#former.get(name);
    return former && former.startedMs >= sinceMs ? former.text : undefined;
  }

  form(name: string, make: MakeForm): Promise<PackedText> {
    const known = this.#making.get(name);
    if (known) return known;
    const made = toTheEnd(() => this.run((work) => make(this.view, work)));
    this.#making.set(name, made);
    made.then(
      (text) => {
        this.#ready.set(name, text);
        this.#former.delete(name);
      },
      // Neither an unknown post nor a refused build is cached.
      () => this.#making.delete(name),
    );
    return made;
  }
}

function objectsOf(view: PublicPageView): number {
  const { groups, timelines } = view;
  const updates = postsOf(view).reduce((sum, post) => sum + post.updates.length, 0);
  const systems = groups.flatMap((group) => group.systems);
  const windows = [...timelines, ...systems.flatMap((system) => system.timelines ?? [])];
  const samples = windows.reduce((sum, window) => sum + window.samples.length + window.perDay.length, 0);
  return updates + samples + systems.reduce((sum, { timeline }) => sum + timeline.length, 0);
}

function charactersOf(view: PublicPageView): number {
  const texts = [
    ...postsOf(view).flatMap(({ body, updates }) => [body, ...updates.map((update) => update.body ?? '')]),
    ...view.upcomingMaintenance.map(({ description }) => description),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
