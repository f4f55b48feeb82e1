import { isIP } from 'node:net';
import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { EgressPolicyName } from '@watchpost/shared/checks/define-check';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { FairShare, type HeldSlot } from '@watchpost/shared/fair-share';
import type { CheckResult, PathEvidence, PathHop } from '@watchpost/shared/outcome';
import { FairTurns } from '@watchpost/shared/queues/fair-turns';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Trace } from './read-trace.js';

export interface PathsOptions {
  /** @returns null where it could not be traced */
  trace(address: string, port: number, signal: AbortSignal): Promise<Trace | null>;
  /** The name of an address, by the resolver of this machine. */
  nameOf(address: string): Promise<string | null>;
  egress: Readonly<Record<EgressPolicyName, Pick<EgressPolicy, 'allows'>>>;
  /** Reports a result again, with the path in its evidence. */
  report(spec: CheckSpec, result: CheckResult): void;
  onTrace(outcome: 'reached' | 'stopped' | 'failed' | 'skipped'): void;
  /** ms since the epoch. */
  now(): number;
}

/** Traces at the same time, and with those that wait. */
const AT_ONCE = 4;
const PLACES = 64;
const AGAIN_AFTER_MS = 10 * MINUTE_MS;
/** Addresses whose last traces are kept: of failures, and of a day without one. */
const MOST_FAILED = 1_000;
const MOST_GOOD = 2_000;
/** Beyond this number, a failing check is taken for one that fails for the first time. */
const MOST_FAILING = 100_000;

type GoodPath = NonNullable<PathEvidence['lastGood']>;

/**
 * Traces the way to an address when a check cannot connect to it for the first time, and to each address once a day while checks
 * succeed, to compare with. No check and no result waits for it: the result is reported again, with the path.
 */
export class Paths {
  readonly #turns = new FairTurns(AT_ONCE, PLACES);
  readonly #recent = new BoundedCache<string, { path: Promise<PathEvidence | null>; atMs: number }>(MOST_FAILED);
  /** From the oldest to the newest. */
  readonly #good = new Map<string, { path: GoodPath; atMs: number; slot: HeldSlot }>();
  readonly #goodShare = new FairShare(MOST_GOOD);
  readonly #failing = new Set<number>();
  readonly #stop = new AbortController();

  constructor(private readonly options: PathsOptions) {}

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Considers the result of a scheduled check. Returns at once. */
  consider(spec: CheckSpec, result: CheckResult): void {
    const { outcome } = result;
    if (outcome.kind === 'inconclusive' || this.#stop.signal.aborted) return;
    const name = result.tried ?? result.address;
    if (name === null || !isOverTcp(spec)) return;
    const code = checkCode(spec.key);
    if (outcome.kind === 'up') {
      this.#failing.delete(code);
      this.#considerGood(spec, name);
    } else if ((outcome.phase === 'connect' || outcome.phase === 'tls') && !this.#failing.has(code)) {
      if (this.#failing.size < MOST_FAILING) this.#failing.add(code);
      void this.#explain(spec, result, name);
    }
  }

  /** Ends what runs; nothing is reported any more. */
  close(): void {
    this.#stop.abort();
  }

  async #explain(spec: CheckSpec, result: CheckResult, name: string): Promise<void> {
    const path = await this.#pathTo(spec, name);
    if (path === null || this.#stop.signal.aborted) return;
    this.options.report(spec, { ...result, evidence: { ...result.evidence, path } });
  }

  /** Checks of the same address share a trace. */
  #pathTo(spec: CheckSpec, name: string): Promise<PathEvidence | null> {
    const known = this.#recent.get(name);
    const nowMs = this.options.now();
    if (known && nowMs < known.atMs + AGAIN_AFTER_MS) return known.path;
    const path = this.#trace(spec, name).then((traced): PathEvidence | null => {
      if (traced === null) return null;
      const { reached, hops, tracedAt } = traced;
      const stoppedAt = reached ? null : (hops.at(-1)?.ttl ?? null);
      return { address: name, tracedAt, reached, hops, stoppedAt, lastGood: this.#good.get(name)?.path ?? null };
    });
    this.#recent.set(name, { path, atMs: nowMs });
    return path;
  }

  /** Only while nothing else is traced: the next success of the check is considered again. */
  #considerGood(spec: CheckSpec, name: string): void {
    const known = this.#good.get(name);
    const nowMs = this.options.now();
    if ((known && nowMs < known.atMs + DAY_MS) || this.#turns.running > 0) return;
    for (const [oldest, { atMs, slot }] of this.#good) {
      if (nowMs < atMs + 2 * DAY_MS) break;
      this.#forget(oldest, slot);
    }
    if (!known && this.#goodShare.refusal({ ownerKey: spec.ownerKey }) !== null) return;
    void this.#trace(spec, name).then((traced) => {
      if (!traced?.reached) return;
      const former = this.#good.get(name);
      if (former) this.#forget(name, former.slot);
      const { tracedAt, hops } = traced;
      const slot = this.#goodShare.take({ ownerKey: spec.ownerKey });
      this.#good.set(name, { path: { tracedAt, hops }, atMs: nowMs, slot });
    });
  }

  #forget(name: string, slot: HeldSlot): void {
    this.#good.delete(name);
    this.#goodShare.giveBack(slot);
  }

  async #trace(spec: CheckSpec, name: string): Promise<(Trace & { tracedAt: string }) | null> {
    const { trace, egress, onTrace, now } = this.options;
    const place = placeOf(name);
    if (place === null) return null;
    const { address, port } = place;
    const turn = this.#turns.enter(spec);
    if (turn === null) {
      onTrace('skipped');
      return null;
    }
    try {
      await turn.begins;
      const { target } = spec;
      // The policy of a private location can have changed since the check.
      if (target.kind === 'unsupported' || !egress[target.egress].allows(address) || this.#stop.signal.aborted)
        return null;
      const tracedAt = new Date(now()).toISOString();
      const traced = await trace(address, port, this.#stop.signal);
      onTrace(traced === null ? 'failed' : traced.reached ? 'reached' : 'stopped');
      return traced && { ...traced, hops: await Promise.all(traced.hops.map((hop) => this.#named(hop))), tracedAt };
    } finally {
      turn.leave();
    }
  }

  async #named(hop: PathHop): Promise<PathHop> {
    return hop.address === null ? hop : { ...hop, name: await this.options.nameOf(hop.address) };
  }
}

function isOverTcp({ target }: CheckSpec): boolean {
  return target.kind !== 'dns' && target.kind !== 'ping' && (target.kind !== 'tcpUdp' || target.protocol === 'tcp');
}

/** @returns the place of `ip:port`, the address of a connection in a result; null where it is none */
function placeOf(name: string): { address: string; port: number } | null {
  const [, v6, v4, port] = /^(?:\[([0-9a-f.:]+)\]|([0-9.]+)):(\d{1,5})$/.exec(name) ?? [];
  const ip = v6 ?? v4;
  return ip !== undefined && isIP(ip) !== 0 ? { address: ip, port: Number(port) } : null;
}
