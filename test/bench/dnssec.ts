import { encode, type Answer } from 'dns-packet';
import { DnssecCheck } from '@watchpost/agent/probes/dnssec/dnssec-check';
import { TrustChains } from '@watchpost/agent/probes/dnssec/trust-chains';
import { USUAL_RECORD_TYPES } from '@watchpost/shared/checks/dns';
import { readReply, type Question } from '@watchpost/shared/names/dns-reply';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import { DAY_MS } from '@watchpost/shared/time';
import { resolverOf, SignedZone } from '../support/signed-zone.js';
import type { Asked, NameAnswer } from '../support/name-server.js';
import { benchRow, type BenchRow } from './bench-row.js';
import { median } from './figures.js';

const TURNS = 9;
const PER_TURN = 100;
const HOST = 'shop.example';
const SERVERS = [null, ...['ns1', 'ns2'].map((name) => ({ place: `${name}.${HOST}`, apex: HOST }))];

/** Measures what DNSSEC costs a check of the usual record types at a resolver and two servers, beside reading their answers. */
export async function benchDnssec(): Promise<BenchRow[]> {
  const nowMs = Date.now();
  const times = { fromMs: nowMs - DAY_MS, toMs: nowMs + 20 * DAY_MS };
  const address: Answer = { name: HOST, type: 'A', data: '192.0.2.1', ttl: 300 };
  const root = new SignedZone('.', { ...times, algorithm: 'rsa' });
  const tld = new SignedZone('example', { ...times, denial: 'nsec3' });
  const shop = new SignedZone(HOST, { ...times, denial: 'nsec3', records: [address] });
  root.delegate(tld);
  tld.delegate(shop);
  const resolve = resolverOf([root, tld, shop]);
  const kept = new Map<string, Buffer>();
  const bytesOf = ({ name, type }: Question): Buffer => {
    const key = `${name} ${type}`;
    const question = { name, type, class: 'IN' } as Asked['question'];
    const { answers, authorities } = kept.has(key) ? {} : (resolve({ question } as Asked) as NameAnswer);
    const made =
      kept.get(key) ??
      encode({
        type: 'response',
        id: 7,
        questions: [question],
        answers: answers ?? [],
        authorities: authorities ?? [],
      });
    kept.set(key, made);
    return made;
  };
  const messageOf = (question: Question) => readReply(bytesOf(question), 7, question)!;
  const resolver = {
    ask: (question: Question) => Promise.resolve({ kind: 'answer', us: 1, message: messageOf(question) }),
  } as unknown as DnsServer;
  const { keyTag: tag, ...digest } = root.digest(2);
  const check = async (chains: TrustChains): Promise<void> => {
    const target = { dnssec: 'required', signatureDays: 3 } as const;
    const own = new DnssecCheck(HOST, { target, chains, resolver, place: 'resolver', nowMs });
    for (const server of SERVERS)
      for (const type of USUAL_RECORD_TYPES) await own.judge(type, messageOf({ name: HOST, type }), server);
    if (own.fault) throw new Error(own.fault.sentence);
  };
  const newChains = () => new TrustChains([{ tag, ...digest }]);
  const chains = newChains();
  const reading = await cpuUs(async () => {
    for (const _ of SERVERS) for (const type of USUAL_RECORD_TYPES) messageOf({ name: HOST, type });
    await Promise.resolve();
  });
  const yardstick = { name: 'reading the same answers', value: reading };
  return [
    benchRow({
      name: 'DNSSEC of a check of six record types at three servers: CPU',
      value: await cpuUs(() => check(chains)),
      unit: 'µs',
      yardstick,
      aim: { text: '< 5 ms', met: ({ value }) => value < 5_000 },
    }),
    benchRow({
      name: 'the same, with the keys of three zones not kept yet: CPU',
      value: await cpuUs(() => check(newChains())),
      unit: 'µs',
      yardstick,
    }),
  ];
}

/** The CPU time of one run, the median of several turns after one that is left out. */
async function cpuUs(run: () => Promise<unknown>): Promise<number> {
  const turns: number[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    const before = process.cpuUsage();
    for (let time = 0; time < PER_TURN; time++) await run();
    const { user, system } = process.cpuUsage(before);
    turns.push((user + system) / PER_TURN);
  }
  return median(turns.slice(1));
}
