import { rcodeOf, type Question, type Reply } from './dns-reply.js';
import { DnsServer } from './dns-server.js';
import type { ResolvConf } from './resolv-conf.js';

/** A server that has not answered by then is not waited for alone, ms. */
const NEXT_AFTER_MS = 2_000;
/** A question is sent again after so long at first, ms. */
const RESEND_MS = 1_000;
/** A server that did not answer where another one did is asked last for so long, ms. */
const ASKED_LAST_MS = 30_000;
/** A socket keeps its port for so long, and for so many questions: whoever would forge answers has to guess it. */
const SOCKET_MS = 10_000;
const SOCKET_QUESTIONS = 1_000;
/** Any answer proves that a server is there, also a refusal, but not one that says that it has lost its own upstream. */
const NO_LIFE: readonly Reply['kind'][] = ['silent', 'refused', 'unreachable'];

/** A socket to a server, with the questions that are open on it. */
interface Link {
  readonly server: DnsServer;
  readonly madeAt: number;
  asked: number;
  open: number;
}

/** One of the servers, through a socket that is replaced from time to time. */
class Upstream {
  /** By `performance.now()`. */
  askLastUntil = -Infinity;
  #link: Link | undefined;

  readonly #waitsMs: readonly number[];

  constructor(
    private readonly place: { ip: string; port: number },
    private readonly conf: Pick<ResolvConf, 'timeoutMs' | 'attempts'>,
  ) {
    this.#waitsMs = waitsOf(conf);
  }

  async ask(question: Question): Promise<Reply> {
    const link = this.#current();
    link.asked++;
    link.open++;
    const reply = await link.server.ask(question);
    link.open--;
    if (link !== this.#link && link.open === 0) link.server.close();
    return reply;
  }

  /** The next question goes through another socket; what is open is still answered. */
  retire(): void {
    if (this.#link?.open === 0) this.#link.server.close();
    this.#link = undefined;
  }

  #current(): Link {
    const now = performance.now();
    const link = this.#link;
    if (link && !link.server.isBroken && link.asked < SOCKET_QUESTIONS && now < link.madeAt + SOCKET_MS) return link;
    this.retire();
    const patienceMs = this.conf.timeoutMs;
    const server = new DnsServer({ ...this.place, recursive: true, patienceMs, waitsMs: this.#waitsMs, unref: true });
    return (this.#link = { server, madeAt: now, asked: 0, open: 0 });
  }
}

/** The name servers of a resolv.conf, as a stub resolver asks them: in packets of our own, on no thread of libuv's pool. */
export class NameServers {
  readonly #upstreams: readonly Upstream[];

  readonly #places: ResolvConf['servers'];

  constructor(conf: Pick<ResolvConf, 'servers' | 'timeoutMs' | 'attempts'>) {
    this.#places = conf.servers;
    this.#upstreams = conf.servers.map((place) => new Upstream(place, conf));
  }

  /**
   * Asks the first server, and the next ones where it fails or takes long.
   * @returns the first usable answer: records, or that there are none; else what the last server did
   */
  ask(question: Question): Promise<Reply> {
    const now = performance.now();
    const order = this.#upstreams.toSorted((a, b) => Number(a.askLastUntil > now) - Number(b.askLastUntil > now));
    return new Promise((resolve) => {
      let next = 0;
      let open = 0;
      let best: Reply | undefined;
      let timer: NodeJS.Timeout | undefined;
      const failed: Upstream[] = [];
      const waiting = new Set<Upstream>();
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        next = order.length;
        resolve(reply);
      };
      const askNext = (): void => {
        clearTimeout(timer);
        const upstream = order[next++];
        if (!upstream) return;
        if (next < order.length) timer = setTimeout(askNext, NEXT_AFTER_MS);
        open++;
        waiting.add(upstream);
        void upstream.ask(question).then((reply) => {
          open--;
          waiting.delete(upstream);
          if (isUsable(reply)) {
            const until = performance.now() + ASKED_LAST_MS;
            upstream.askLastUntil = -Infinity;
            for (const other of [...failed, ...waiting]) other.askLastUntil = until;
            settle(reply);
            return;
          }
          failed.push(upstream);
          if (best === undefined || reply.kind === 'answer') best = reply;
          if (next < order.length) askNext();
          else if (open === 0) settle(best);
        });
      };
      askNext();
    });
  }

  /** Whether any of the servers answers a question that every living resolver answers from its cache. */
  async isAlive(withinMs: number): Promise<boolean> {
    const asked = this.#places.map(async (place) => {
      if (!(await isAlive(place, withinMs))) throw new Error('the server does not answer');
      return true;
    });
    return await Promise.any(asked).catch(() => false);
  }

  /** Another set takes over: what is open is still answered. */
  retire(): void {
    for (const upstream of this.#upstreams) upstream.retire();
  }
}

/** As long as resolv.conf allows, with a packet that may be lost sent again after 1 s, 2 s, 4 s and so on. */
function waitsOf({ timeoutMs, attempts }: Pick<ResolvConf, 'timeoutMs' | 'attempts'>): number[] {
  const waits: number[] = [];
  for (let left = timeoutMs * attempts, waitMs = RESEND_MS; left > 0; left -= waitMs, waitMs *= 2)
    waits.push(Math.min(waitMs, left));
  return waits;
}

/** Asks through a socket of its own, twice. */
async function isAlive(place: { ip: string; port: number }, withinMs: number): Promise<boolean> {
  const server = new DnsServer({ ...place, recursive: true, patienceMs: withinMs / 2 });
  const reply = await server.ask({ name: '.', type: 'NS' });
  server.close();
  return reply.kind === 'answer' ? rcodeOf(reply.packet) !== 'SERVFAIL' : !NO_LIFE.includes(reply.kind);
}

function isUsable(reply: Reply): boolean {
  return reply.kind === 'answer' && ['NOERROR', 'NXDOMAIN'].includes(rcodeOf(reply.packet));
}
