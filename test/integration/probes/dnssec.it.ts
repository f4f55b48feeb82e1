import { mock } from 'node:test';
import { expect } from 'chai';
import { encode, type Answer } from 'dns-packet';
import fc from 'fast-check';
import { dnsCheck, type DnsRecordType, type DnsTarget } from '@watchpost/shared/checks/dns';
import { readReply } from '@watchpost/shared/names/dns-reply';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import type { DnsDetail, ProbeReport } from '@watchpost/shared/outcome';
import { DAY_MS } from '@watchpost/shared/time';
import { Verifications } from '@watchpost/agent/probes/dnssec/decide-signature';
import { DnssecCheck } from '@watchpost/agent/probes/dnssec/dnssec-check';
import { TrustChains } from '@watchpost/agent/probes/dnssec/trust-chains';
import { startNameServer, type NameAnswer, type NameBehaviour, type NameServer } from '../../support/name-server.js';
import {
  type AlgorithmName,
  type DenialKind,
  resolverOf,
  SignedZone,
  type ZoneOptions,
} from '../../support/signed-zone.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const TIMES = { fromMs: NOW - DAY_MS, toMs: NOW + 20 * DAY_MS };
const at = (name: string, data: string): Answer => ({ name, type: 'A', data, ttl: 300 });
const alias = (name: string, data: string): Answer => ({ name, type: 'CNAME', data, ttl: 300 });

/** The root, a registry, a signed shop, and a zone without signatures. */
function world(shopOptions: Partial<ZoneOptions> = {}, tldOptions: Partial<ZoneOptions> = {}) {
  const root = new SignedZone('.', { ...TIMES, algorithm: 'rsa' });
  const tld = new SignedZone('example', { ...TIMES, ...tldOptions });
  const shop = new SignedZone('shop.example', {
    ...TIMES,
    records: [
      at('shop.example', '192.0.2.1'),
      at('shop.example', '192.0.2.2'),
      { name: 'shop.example', type: 'MX', data: { preference: 10, exchange: 'Mail.Shop.Example' }, ttl: 300 },
      at('ns1.shop.example', '127.0.0.2'),
      at('a.deep.shop.example', '192.0.2.3'),
      at('*.wild.shop.example', '192.0.2.4'),
      at('x.wild.shop.example', '192.0.2.5'),
      alias('www.shop.example', 'shop.example'),
      alias('cdn.shop.example', 'host.plain.example'),
      alias('gone.shop.example', 'nothing.shop.example'),
      { name: 'old.shop.example', type: 'DNAME', data: 'shop.example', ttl: 300 },
      { name: 'moved.shop.example', type: 'DNAME', data: 'plain.example', ttl: 300 },
    ],
    ...shopOptions,
  });
  const plain = new SignedZone('plain.example', {
    ...TIMES,
    isUnsigned: true,
    records: [at('host.plain.example', '192.0.2.9')],
  });
  const inner = new SignedZone('inner.shop.example', {
    ...TIMES,
    isUnsigned: true,
    records: [at('inner.shop.example', '192.0.2.8')],
  });
  root.delegate(tld);
  tld.delegate(shop, [2, 4]);
  tld.delegate(plain);
  shop.delegate(inner);
  const zones = [root, tld, shop, plain, inner];
  return { root, tld, shop, plain, zones, resolve: resolverOf(zones) };
}

type Asked = Parameters<NameBehaviour>[0];
const messageOf = (found: NameAnswer, name: string, type: string): Buffer =>
  encode({
    type: 'response',
    id: 7,
    flags: found.rcode === 'NXDOMAIN' ? 3 : 0,
    questions: [{ name, type, class: 'IN' } as Asked['question']],
    answers: found.answers ?? [],
    authorities: found.authorities ?? [],
  });

/** Validates without a network. */
async function judge(
  { root, resolve }: Pick<ReturnType<typeof world>, 'root' | 'resolve'>,
  name: string,
  type: DnsRecordType,
  {
    dnssec = 'required',
    nowMs = NOW,
    chains = new TrustChains([root.digest(2)].map(tagged)),
    change = (bytes: Buffer) => bytes,
  } = {},
): Promise<{ why: string | null; fault: string | undefined; values: readonly string[] }> {
  const bytesOf = (question: { name: string; type: string }) =>
    messageOf(resolve({ question } as Asked) as NameAnswer, question.name, question.type);
  const resolver = {
    ask: (question: { name: string; type: DnsRecordType }) => {
      const found = readReply(bytesOf(question), 7, question);
      return Promise.resolve(found ? { kind: 'answer', us: 1, message: found } : { kind: 'garbled' });
    },
  } as unknown as DnsServer;
  const target = { dnssec: dnssec as 'required', signatureDays: 3 };
  const check = new DnssecCheck(name, { target, chains, resolver, place: 'the resolver', nowMs });
  const message = readReply(change(bytesOf({ name, type })), 7, { name, type });
  if (!message) return { why: 'unreadable', fault: 'unreadable', values: [] };
  const why = await check.judge(type, message, null);
  const values = message.answers
    .filter((one) => one.type !== 46)
    .map((one) => `${one.name} ${one.type} ${one.data.toString('hex')}`);
  return { why, fault: check.fault?.sentence, values: values.sort() };
}
const tagged = ({ keyTag: tag, ...others }: ReturnType<SignedZone['digest']>) => ({ tag, ...others });

const KINDS = [
  ...(['rsa', 'ecdsa', 'ed25519'] as AlgorithmName[]).flatMap((algorithm) =>
    (['nsec', 'nsec3', 'optOut'] as DenialKind[]).map((denial) => ({ algorithm, denial })),
  ),
  ...(['rsaSha512', 'ecdsaP384', 'ed448'] as AlgorithmName[]).map((algorithm) => ({
    algorithm,
    denial: 'nsec' as DenialKind,
  })),
];
const SIGNED: readonly (readonly [string, DnsRecordType])[] = [
  ['shop.example', 'A'],
  ['shop.example', 'MX'],
  ['shop.example', 'AAAA'],
  ['shop.example', 'DS'],
  ['www.shop.example', 'A'],
  ['www.shop.example', 'CNAME'],
  ['deep.shop.example', 'A'],
  ['a.deep.shop.example', 'A'],
  ['any.wild.shop.example', 'A'],
  ['any.other.wild.shop.example', 'A'],
  ['any.wild.shop.example', 'TXT'],
  ['x.wild.shop.example', 'A'],
  ['www.old.shop.example', 'A'],
  ['a.deep.old.shop.example', 'A'],
];
const MISSING: readonly string[] = [
  'nothing.shop.example',
  'a.b.nothing.shop.example',
  'gone.shop.example',
  'nothing.old.shop.example',
  'below.x.wild.shop.example',
];
const UNSIGNED: readonly string[] = [
  'host.plain.example',
  'plain.example',
  'none.plain.example',
  'inner.shop.example',
  'cdn.shop.example',
  'host.moved.shop.example',
];

describe('An answer of a zone with DNSSEC', () => {
  for (const { algorithm, denial } of KINDS)
    it(`is validated from the root on, whether it has records or not: ${algorithm} and ${denial}`, async () => {
      const all = world({ algorithm, denial }, { algorithm, denial });
      // With opt-out nobody can prove that a name is not an unsigned delegation.
      for (const [name, type] of SIGNED) {
        const dnssec = denial === 'optOut' && type === 'TXT' ? 'ifSigned' : 'required';
        expect(await judge(all, name, type, { dnssec }), `${name} ${type}`).to.include({ why: null, fault: undefined });
      }
      for (const name of MISSING)
        expect(await judge(all, name, 'A', { dnssec: denial === 'optOut' ? 'ifSigned' : 'required' }), name).to.include(
          { why: null, fault: undefined },
        );
      for (const name of UNSIGNED) {
        expect(await judge(all, name, 'A', { dnssec: 'ifSigned' }), name).to.include({ why: null, fault: undefined });
        expect((await judge(all, name, 'A')).fault, name).to.match(/is not signed/);
      }
    });

  it('is bogus after any change that gives it other records', async () => {
    const worlds = KINDS.filter((_, index) => index % 2 === 0).map((kind) => world(kind, kind));
    const questions = [...SIGNED, ...MISSING.map((name) => [name, 'A'] as const)];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(worlds.length - 1),
        fc.constantFrom(...questions),
        fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 2 }),
        async (index, [name, type], flips) => {
          const all = worlds[index]!;
          const chains = new TrustChains([tagged(all.root.digest(2))]);
          const before = await judge(all, name, type, { chains });
          const after = await judge(all, name, type, {
            chains,
            change: (bytes) => {
              for (const [place, flip] of flips) bytes[12 + (place % (bytes.length - 12))]! ^= flip;
              return bytes;
            },
          });
          if (after.why === null && after.fault === undefined) expect(after.values).to.deep.equal(before.values);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is bogus without its signatures, without its records, and with those of another name', async () => {
    for (const { algorithm, denial } of KINDS.slice(0, 2)) {
      const all = world({ algorithm, denial }, { algorithm, denial });
      const changed = (change: (found: NameAnswer, name: string) => NameAnswer) => ({
        ...all,
        resolve: ((asked) => {
          const found = all.resolve(asked) as NameAnswer;
          return ['DS', 'DNSKEY'].includes(asked.question.type) ? found : change(found, asked.question.name);
        }) as NameBehaviour,
      });
      const without =
        (type: string) =>
        (list: Answer[] = []) =>
          list.filter((one) => one.type !== type);
      const none = (found: NameAnswer): NameAnswer => ({
        ...found,
        answers: without('RRSIG')(found.answers),
        authorities: without('RRSIG')(found.authorities),
      });
      for (const [name, type] of [...SIGNED, ['nothing.shop.example', 'A'] as const].filter(
        ([, type]) => type !== 'DS',
      ))
        expect((await judge(changed(none), name, type)).why, `${name} ${type}`).to.match(/signature|not proven/);
      const empty = () => ({ rcode: 'NXDOMAIN' as const, answers: [], authorities: [] });
      expect((await judge(changed(empty), 'shop.example', 'A')).why).to.match(/are not proven to be missing/);
      // A signed denial of one name is none of another.
      const other = () => all.shop.answer({ name: 'nothing.shop.example', type: 'A' });
      for (const name of ['shop.example', 'x.wild.shop.example', 'a.deep.shop.example'])
        expect((await judge(changed(other), name, 'A', { dnssec: 'ifSigned' })).why, name).to.match(
          /are not proven to be missing/,
        );
      const half = (found: NameAnswer): NameAnswer => ({ ...found, answers: found.answers!.slice(1) });
      expect((await judge(changed(half), 'shop.example', 'A')).why).to.match(/signature that is not valid/);
      const stray = (found: NameAnswer): NameAnswer => ({
        ...found,
        answers: [...found.answers!, at('evil.example', '192.0.2.66')],
      });
      expect((await judge(changed(stray), 'shop.example', 'A')).why).to.match(/has A records of evil.example/);
      // A wildcard must not replace a name that exists.
      const wild = all.shop.answer({ name: 'any.wild.shop.example', type: 'A' });
      const replaced = () => ({
        ...wild,
        answers: wild.answers!.map((one) => ({ ...one, name: 'x.wild.shop.example' })),
      });
      expect((await judge(changed(replaced), 'x.wild.shop.example', 'A')).why).to.match(/no closer name exists/);
      // Nor one below a name that exists, although it does not exist itself.
      const below = 'below.x.wild.shop.example';
      const replacedBelow = () => ({
        answers: wild.answers!.map((one) => ({ ...one, name: below })),
        authorities: all.shop.answer({ name: below, type: 'A' }).authorities!,
      });
      expect((await judge(changed(replacedBelow), below, 'A')).why, denial).to.match(/no closer name exists/);
    }
  });

  it('is bogus where the alias of a subtree is not that of its DNAME record, or this has no signature', async () => {
    const all = world();
    const asked = ['www.old.shop.example', 'A'] as const;
    const changed = (change: (answers: Answer[]) => Answer[]) => ({
      ...all,
      resolve: ((given: Asked) => {
        const found = all.resolve(given) as NameAnswer;
        return { ...found, answers: change([...(found.answers ?? [])]) };
      }) as NameBehaviour,
    });
    const elsewhere = changed((answers) =>
      answers.map((one) =>
        one.type === 'CNAME' && one.name === asked[0] ? { ...one, data: 'a.deep.shop.example' } : one,
      ),
    );
    const unsigned = changed((answers) =>
      answers.filter((one) => one.type !== 'RRSIG' || one.data.typeCovered !== 'DNAME'),
    );
    const forged = changed((answers) =>
      answers.map((one) => (one.type === 'DNAME' ? { ...one, data: 'evil.example' } : one)),
    );
    for (const [what, one] of Object.entries({ elsewhere, unsigned, forged }))
      expect((await judge(one, ...asked)).why, what).to.match(/DNAME|CNAME|A records/);
    expect((await judge(unsigned, ...asked)).why).to.match(/have no signature$/);
  });

  it('is bogus by the fault of its chain, which is named', async () => {
    const expired = world({ fromMs: NOW - 30 * DAY_MS, toMs: NOW - DAY_MS });
    expect((await judge(expired, 'shop.example', 'A')).fault).to.equal(
      'The answer of the resolver about shop.example fails DNSSEC: the DNSKEY records of shop.example have a signature that expired on 2026-05-31 00:00 UTC.',
    );
    const early = world({ fromMs: NOW + DAY_MS });
    expect((await judge(early, 'shop.example', 'A')).why).to.match(/valid from 2026-06-02 00:00 UTC on/);
    const all = world();
    const wrongKey = world();
    const mixed = { ...all, resolve: resolverOf([all.root, all.tld, wrongKey.shop]) };
    expect((await judge(mixed, 'shop.example', 'A')).why).to.equal(
      'shop.example has no key with a digest in the zone above',
    );
    // Another root is a matter of the resolver: the name may be well.
    const foreign = { root: wrongKey.root, resolve: all.resolve };
    const unavailable = await judge(foreign, 'shop.example', 'A');
    expect(unavailable.why).to.equal(null);
    expect(unavailable.fault).to.match(/^The DNSSEC of shop.example cannot be validated by the resolver/);
  });

  it('ends soon when fewer days are left than it must have, or a quarter of a short lifetime', async () => {
    const left = async (lifetimeDays: number, leftDays: number): Promise<string | undefined> => {
      const toMs = NOW + leftDays * DAY_MS;
      return (await judge(world({ toMs, fromMs: toMs - lifetimeDays * DAY_MS }), 'shop.example', 'A')).fault;
    };
    expect(await left(30, 3.1)).to.equal(undefined);
    expect(await left(30, 2.9)).to.match(
      /A DNSSEC signature of shop.example that the resolver sends .* ends soon, on 2026-06-03 21:36 UTC/,
    );
    expect(await left(2, 1)).to.equal(undefined);
    expect(await left(2, 0.4)).to.match(/ends soon/);
  });

  it('counts as unsigned where algorithm, digest or costs are beyond what is validated', async () => {
    const all = world();
    for (const record of all.tld.records)
      if (record.type === 'DS') (record as { data: { digestType: number } }).data.digestType = 99;
    expect((await judge(all, 'shop.example', 'A', { dnssec: 'ifSigned' })).fault).to.equal(undefined);
    expect((await judge(all, 'shop.example', 'A')).fault).to.match(/is not signed/);
    const costly = world({ denial: 'nsec3', iterations: 51 });
    expect((await judge(costly, 'nothing.shop.example', 'A')).fault).to.match(/is not signed/);
    expect((await judge(world({ denial: 'nsec3', iterations: 50 }), 'nothing.shop.example', 'A')).fault).to.equal(
      undefined,
    );
  });

  it('is validated at limited cost, however many keys and signatures it has', async () => {
    const all = world();
    const [key] = all.shop.records.filter(({ type }) => type === 'DNSKEY');
    const signature = all.shop.signed([at('shop.example', '192.0.2.1')])[1]!;
    const many = (count: number, one: Answer) => Array.from({ length: count }, () => one);
    const bomb: NameBehaviour = (asked) => {
      const found = all.resolve(asked) as NameAnswer;
      if (asked.question.name !== 'shop.example' || asked.question.type === 'DS') return found;
      return {
        ...found,
        answers: [
          ...many(200, key!),
          ...found.answers!.filter(({ type }) => type !== 'RRSIG'),
          ...many(150, signature),
        ],
      };
    };
    const asked = mock.method(Verifications.prototype, 'isValid');
    try {
      expect((await judge({ ...all, resolve: bomb }, 'shop.example', 'A')).why).to.match(/signature/);
      expect(asked.mock.callCount()).to.be.within(1, 100);
    } finally {
      asked.mock.restore();
    }
  });

  it('is validated with new keys when those that are kept do not fit', async () => {
    const [first, second] = [world(), world()];
    const chains = new TrustChains([tagged(first.root.digest(2))]);
    expect((await judge(first, 'shop.example', 'A', { chains })).fault).to.equal(undefined);
    // The same registry delegates to the zone with its new key.
    first.tld.records.splice(
      first.tld.records.findIndex(({ type }) => type === 'DS'),
      2,
    );
    first.tld.records.push({ name: 'shop.example', type: 'DS', data: second.shop.digest(2), ttl: 300 });
    const rolled = { root: first.root, resolve: resolverOf([first.root, first.tld, second.shop]) };
    expect((await judge(rolled, 'shop.example', 'A', { chains })).fault).to.equal(undefined);
  });
});

describe('A DNS check with DNSSEC', () => {
  const own = { ...TIMES, fromMs: Date.now() - DAY_MS, toMs: Date.now() + 20 * DAY_MS };
  const root = new SignedZone('.', own);
  const tld = new SignedZone('example', own);
  const shop = new SignedZone('shop.example', {
    ...own,
    records: [
      at('shop.example', '192.0.2.1'),
      at('ns1.shop.example', '127.0.0.2'),
      { name: 'shop.example', type: 'NS', data: 'ns2.shop.example', ttl: 300 },
      at('ns2.shop.example', '127.0.0.3'),
      alias('cdn.shop.example', 'host.plain.example'),
      alias('away.shop.example', 'host.other.example'),
    ],
  });
  const plain = new SignedZone('plain.example', {
    ...own,
    isUnsigned: true,
    records: [at('host.plain.example', '192.0.2.9')],
  });
  const other = new SignedZone('other.example', { ...own, records: [at('host.other.example', '192.0.2.8')] });
  root.delegate(tld);
  for (const zone of [shop, plain, other]) tld.delegate(zone);
  const resolve = resolverOf([root, tld, shop, plain, other]);
  const honest: NameBehaviour = ({ question }) => shop.answer(question);
  const forged: NameBehaviour = (asked) =>
    asked.question.type === 'A'
      ? {
          answers: [at('shop.example', '192.0.2.66'), shop.signed([at('shop.example', '192.0.2.66')])[1]!].map(
            (one, index) => (index === 0 ? at('shop.example', '192.0.2.67') : one),
          ),
        }
      : shop.answer(asked.question);
  let resolver: NameServer;
  const servers: NameServer[] = [];
  before(async () => {
    resolver = await startNameServer({ behaviour: resolve });
    for (const host of ['127.0.0.2', '127.0.0.3'])
      servers.push(await startNameServer({ behaviour: honest, host, port: resolver.port }));
  });
  beforeEach(() => {
    resolver.behave(resolve);
    for (const server of servers) server.behave(honest);
  });
  after(() => Promise.all([resolver, ...servers].map((server) => server.close())));

  const look = (options: Partial<DnsTarget> = {}): Promise<ProbeReport> =>
    testProbes({ dnsPort: resolver.port, rootAnchors: [tagged(root.digest(2))] }).run(
      {
        timeoutMs: 5_000,
        target: dnsCheck.target.parse({
          hostname: 'shop.example',
          recordTypes: ['A', 'AAAA'],
          resolvers: [`127.0.0.1:${resolver.port}`],
          checkPropagation: true,
          dnssec: 'required',
          ...options,
        }),
      },
      new AbortController().signal,
    );

  it('is up where the resolver and every server of the zone have valid answers', async () => {
    const report = await look();
    expectUp(report);
    expect((report.detail as DnsDetail).propagation).to.deep.include({ consistent: true, convergedPercent: 100 });
  });

  it('is up by DS records, which the zone above has, and by aliases that lead to other zones', async () => {
    expectUp(await look({ recordTypes: ['A', 'DS', 'TXT'] }));
    expectUp(await look({ hostname: 'away.shop.example', recordTypes: ['A', 'CNAME', 'AAAA'] }));
    const cdn = { hostname: 'cdn.shop.example', recordTypes: ['A', 'CNAME', 'AAAA'] } as const;
    expectUp(await look({ ...cdn, dnssec: 'ifSigned' }));
    expectDown(
      await look(cdn),
      'content',
      'dns_mismatch',
      'The name cdn.shop.example is not protected by DNSSEC: the zone of host.plain.example is not signed.',
    );
  });

  it('is down by a bogus answer of the resolver or of one server of the zone, which is named', async () => {
    resolver.behave((asked) =>
      asked.question.type === 'A' && asked.question.name === 'shop.example' ? forged(asked) : resolve(asked),
    );
    const why = 'the A records of shop.example have a signature that is not valid';
    expectDown(
      await look(),
      'dns',
      'dns_failure',
      `The answer of 127.0.0.1:${resolver.port} about shop.example fails DNSSEC: ${why}.`,
    );
    expectUp(await look({ dnssec: 'off' }));
    resolver.behave(resolve);
    servers[1]!.behave(forged);
    const report = await look();
    expectDown(
      report,
      'dns',
      'dns_failure',
      `The answer of ns2.shop.example (127.0.0.3) about shop.example fails DNSSEC: ${why}.`,
    );
    expect((report.detail as DnsDetail).propagation!.servers.map(({ error }) => error)).to.deep.equal([
      null,
      `fails DNSSEC: ${why}`,
    ]);
  });

  it('is inconclusive where the resolver passes on no signatures', async () => {
    resolver.behave((asked) => {
      const found = resolve(asked) as NameAnswer;
      return { ...found, answers: found.answers?.filter(({ type }) => type !== 'RRSIG') ?? [], authorities: [] };
    });
    const report = await look();
    expect(report.outcome).to.include({ kind: 'inconclusive', reason: 'unsupported' });
  });

  it('is down where the resolver cannot look up what the chain needs', async () => {
    resolver.behave((asked) =>
      asked.question.type === 'DS' && asked.question.name === 'shop.example' ? { rcode: 'SERVFAIL' } : resolve(asked),
    );
    expectDown(
      await look(),
      'dns',
      'dns_failure',
      /the DS records of shop.example could not be looked up \(SERVFAIL\)/,
    );
  });
});
