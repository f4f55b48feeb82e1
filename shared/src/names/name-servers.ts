import { isUsable, type Question, type Reply } from './dns-reply.js';
import { DnsServer } from './dns-server.js';
import type { ResolvConf } from './resolv-conf.js';

/** After this time without an answer the next server is queried, too, ms. */
const NEXT_AFTER_MS = 2_000;
/** The wait before the first repetition, ms. */
const RESEND_MS = 1_000;
/** How long a server that did not answer, while another one did, is queried last, ms. */
const ASKED_LAST_MS = 30_000;
/** How long and for how many queries a socket keeps its port, which an attacker has to guess to forge answers. */
const SOCKET_MS = 10_000;
const SOCKET_QUESTIONS = 1_000;
/** Any answer proves that a server works, even a refusal, except one that reports a lost upstream. */
const NO_LIFE: readonly Reply['kind'][] = ['silent', 'refused', 'unreachable'];

/** A socket to a server, with its open queries. */
interface Link {
  readonly server: DnsServer;
  readonly madeAt: number;
  asked: number;
  open: number;
}

/** One of the servers, with a socket that is replaced periodically. */
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

  /** The next query uses another socket; open ones are still answered. */
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

/** A stub resolver for the name servers of a resolv.conf, without threads of libuv's pool. */
export class NameServers {
  readonly #upstreams: readonly Upstream[];

  readonly #places: ResolvConf['servers'];

  constructor(conf: Pick<ResolvConf, 'servers' | 'timeoutMs' | 'attempts'>) {
    this.#places = conf.servers;
    this.#upstreams = conf.servers.map((place) => new Upstream(place, conf));
  }

  /**
   * Queries the first server, and the next ones if it fails or is slow.
   * @returns the first usable reply: records, or that there are none; else the reply of the last server
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

  /** Whether any server answers a query that every working resolver answers from its cache. */
  async isAlive(withinMs: number): Promise<boolean> {
    const asked = this.#places.map(async (place) => {
      if (!(await isAlive(place, withinMs))) throw new Error('the server does not answer');
      return true;
    });
    return await Promise.any(asked).catch(() => false);
  }

  /** Closes the servers after their open queries. */
  retire(): void {
    for (const upstream of this.#upstreams) upstream.retire();
  }
}

/** The waits within the timeout of resolv.conf; a packet is repeated after 1 s, 2 s, 4 s and so on. */
function waitsOf({ timeoutMs, attempts }: Pick<ResolvConf, 'timeoutMs' | 'attempts'>): number[] {
  const waits: number[] = [];
  for (let left = timeoutMs * attempts, waitMs = RESEND_MS; left > 0; left -= waitMs, waitMs *= 2)
    waits.push(Math.min(waitMs, left));
  return waits;
}

/** Queries twice, with its own socket. */
async function isAlive(place: { ip: string; port: number }, withinMs: number): Promise<boolean> {
  const server = new DnsServer({ ...place, recursive: true, patienceMs: withinMs / 2 });
  const reply = await server.ask({ name: '.', type: 'NS' });
  server.close();
  return reply.kind === 'answer' ? reply.message.rcode !== 'SERVFAIL' : !NO_LIFE.includes(reply.kind);
}
