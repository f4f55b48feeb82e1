import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { encode, type Answer } from 'dns-packet';
import { USUAL_RECORD_TYPES, type DnsTarget } from '@watchpost/shared/checks/dns';
import type { DnsDetail, ProbeReport } from '@watchpost/shared/outcome';
import { SystemNames } from '@watchpost/shared/names/system-names';
import type { Probes } from '@watchpost/agent/probes/index';
import {
  records,
  startNameServer,
  type Asked,
  type NameBehaviour,
  type NameServer,
} from '../../support/name-server.js';
import { startedForSuite } from '../../support/suite.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

const SHOP: Answer[] = [
  { name: 'shop.example', type: 'A', data: '192.0.2.2', ttl: 60 },
  { name: 'shop.example', type: 'A', data: '192.0.2.1', ttl: 60 },
  { name: 'shop.example', type: 'AAAA', data: '2001:db8:0:0:0:0:0:1', ttl: 60 },
  { name: 'shop.example', type: 'MX', data: { preference: 10, exchange: 'Mail.Shop.Example' }, ttl: 60 },
  { name: 'shop.example', type: 'NS', data: 'ns1.shop.example', ttl: 60 },
  { name: 'shop.example', type: 'NS', data: 'ns2.shop.example', ttl: 60 },
  { name: 'shop.example', type: 'TXT', data: ['v=spf1 ', '-all'], ttl: 60 },
  { name: 'www.shop.example', type: 'CNAME', data: 'shop.example', ttl: 60 },
  { name: 'ns1.shop.example', type: 'A', data: '127.0.0.2', ttl: 60 },
  { name: 'ns2.shop.example', type: 'A', data: '127.0.0.3', ttl: 60 },
];
/** The TC flag of a response. */
const TRUNCATED_RESPONSE = 1 << 9;
const soa = (serial: number): Answer => ({
  name: 'shop.example',
  type: 'SOA',
  data: { mname: 'ns1.shop.example', rname: 'root.shop.example', serial },
  ttl: 60,
});

describe('a name in DNS', () => {
  const resolver = startedForSuite(() => startNameServer({ behaviour: records(SHOP) }));
  let probes: Probes;
  before(() => {
    probes = testProbes({ dnsPort: resolver.port, isResolverAlive: () => Promise.resolve(true) });
  });
  beforeEach(() => resolver.behave(records(SHOP)));

  const look = (options: Partial<DnsTarget> & { timeoutMs?: number; by?: Probes } = {}): Promise<ProbeReport> => {
    const { timeoutMs = 3_000, by = probes, ...target } = options;
    return by.run(
      {
        timeoutMs,
        target: {
          kind: 'dns',
          hostname: 'shop.example',
          recordTypes: [...USUAL_RECORD_TYPES],
          expectedRecords: [],
          resolvers: [`127.0.0.1:${resolver.port}`],
          checkPropagation: false,
          dnssec: 'off',
          signatureDays: 3,
          egress: 'monitor',
          ...target,
        },
      },
      new AbortController().signal,
    );
  };
  const detailOf = (report: ProbeReport): DnsDetail => {
    expect(report.detail?.kind).to.equal('dns');
    return report.detail as DnsDetail;
  };

  it('is looked up for all record types, and its records are normalised', async () => {
    const report = await look();
    expectUp(report);
    expect(detailOf(report)).to.deep.include({
      resolver: `127.0.0.1:${resolver.port}`,
      records: {
        A: ['192.0.2.1', '192.0.2.2'],
        AAAA: ['2001:db8::1'],
        CNAME: [],
        MX: ['10 mail.shop.example'],
        NS: ['ns1.shop.example', 'ns2.shop.example'],
        TXT: ['v=spf1 -all'],
      },
      propagation: null,
    });
    expect(detailOf(report).responseUs).to.be.above(0);
    expect(report.timings.dnsUs).to.be.above(0);
    expect(resolver.asked.every((asked) => asked.recursive && asked.edns && asked.via === 'udp')).to.equal(true);
  });

  it('has records of every other type in presentation format, also where a server sends data of another form', async () => {
    const name = 'shop.example';
    const https = (hex: string) =>
      ({ name, type: 'UNKNOWN_65', data: Buffer.from(hex, 'hex'), ttl: 1 }) as unknown as Answer;
    const digest = Buffer.from('c0ffee', 'hex');
    resolver.behave(
      records([
        { name, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'ca.example' }, ttl: 1 },
        { name, type: 'DS', data: { keyTag: 1, algorithm: 13, digestType: 2, digest }, ttl: 1 },
        https('00010000010003026832'),
        https('00010000010003ff6832'),
        { name, type: 'PTR', data: 'host.shop.example', ttl: 1 },
        { name, type: 'SRV', data: { priority: 1, weight: 2, port: 443, target: 'www.shop.example' }, ttl: 1 },
        { name, type: 'TLSA', data: { usage: 3, selector: 1, matchingType: 1, certificate: digest }, ttl: 1 },
        { name, type: 'SOA', data: { mname: 'ns1.shop.example', rname: 'root.shop.example', serial: 7 }, ttl: 1 },
      ]),
    );
    const report = await look({
      recordTypes: ['CAA', 'DS', 'HTTPS', 'PTR', 'SOA', 'SRV', 'TLSA'],
      expectedRecords: [
        { type: 'CAA', match: 'exact', values: ['0 issue ca.example'] },
        { type: 'HTTPS', match: 'any', values: ['1 . alpn="h2"'] },
      ],
    });
    expectUp(report);
    expect(detailOf(report).records).to.deep.equal({
      CAA: ['0 issue "ca.example"'],
      DS: ['1 13 2 C0FFEE'],
      HTTPS: ['1 . alpn=h2', '\\# 10 00010000010003ff6832'],
      PTR: ['host.shop.example'],
      SOA: ['ns1.shop.example root.shop.example 7 0 0 0 0'],
      SRV: ['1 2 443 www.shop.example'],
      TLSA: ['3 1 1 C0FFEE'],
    });
  });

  it('can be an alias or an international name', async () => {
    expect(detailOf(await look({ hostname: 'www.shop.example.', recordTypes: ['CNAME'] })).records).to.deep.equal({
      CNAME: ['shop.example'],
    });
    resolver.behave(records([{ name: 'xn--bcher-kva.example', type: 'A', data: '192.0.2.7', ttl: 1 }]));
    expect(detailOf(await look({ hostname: 'Bücher.example', recordTypes: ['A'] })).records).to.deep.equal({
      A: ['192.0.2.7'],
    });
  });

  it('is queried over TCP if the response does not fit, and without EDNS if the server does not support it', async () => {
    const long: Answer[] = Array.from({ length: 200 }, (_, index) => ({
      name: 'shop.example',
      type: 'TXT',
      data: `${index} ${'x'.repeat(200)}`,
      ttl: 1,
    }));
    resolver.behave(({ via }) => (via === 'udp' ? { truncated: true } : { answers: long }));
    expect(detailOf(await look({ recordTypes: ['TXT'] })).records.TXT).to.have.length(200);
    resolver.behave((asked) => (asked.edns ? { rcode: 'FORMERR' } : records(SHOP)(asked)));
    expect(detailOf(await look({ recordTypes: ['A'] })).records.A).to.have.length(2);
  });

  it('is queried over TCP if the packet was cut in the middle of its records, with or without EDNS', async () => {
    const text: Answer = { name: 'shop.example', type: 'TXT', data: 'x'.repeat(200), ttl: 1 };
    /** A response that announces three records and ends in the first one. */
    const cutPacket = ({ id, question }: Asked): Buffer => {
      const flags = TRUNCATED_RESPONSE;
      return encode({ type: 'response', id, flags, questions: [question], answers: [text, text, text] }).subarray(
        0,
        100,
      );
    };
    resolver.behave((asked) => (asked.via === 'udp' ? cutPacket(asked) : { answers: [text] }));
    expect(detailOf(await look({ recordTypes: ['TXT'] })).records.TXT).to.deep.equal([text.data]);
    resolver.behave((asked) => {
      if (asked.edns) return { rcode: 'FORMERR' };
      return asked.via === 'udp' ? cutPacket(asked) : { answers: [text] };
    });
    expect(detailOf(await look({ recordTypes: ['TXT'] })).records.TXT).to.deep.equal([text.data]);
  });

  it('is compared with any, all or exactly the expected records', async () => {
    for (const [match, values] of [
      ['any', ['192.0.2.9', '192.0.2.1']],
      ['all', ['192.0.2.2']],
      ['all', []],
      ['exact', ['192.0.2.2', '192.0.2.1', '192.0.2.1']],
    ] as const)
      expectUp(await look({ recordTypes: ['A'], expectedRecords: [{ type: 'A', match, values }] }));
    expectUp(
      await look({
        expectedRecords: [
          { type: 'AAAA', match: 'exact', values: ['2001:DB8:0::1'] },
          { type: 'MX', match: 'exact', values: ['10  MAIL.shop.example.'] },
          { type: 'NS', match: 'all', values: ['NS1.Shop.Example.'] },
          { type: 'CNAME', match: 'exact', values: [] },
        ],
      }),
    );
    expectDown(
      await look({
        recordTypes: ['A'],
        expectedRecords: [{ type: 'A', match: 'any', values: ['192.0.2.8', '192.0.2.9'] }],
      }),
      'content',
      'dns_mismatch',
      'The A records of shop.example do not include 192.0.2.8 or 192.0.2.9; they are 192.0.2.1, 192.0.2.2.',
    );
    expectDown(
      await look({
        recordTypes: ['A'],
        expectedRecords: [{ type: 'A', match: 'all', values: ['192.0.2.1', '192.0.2.9'] }],
      }),
      'content',
      'dns_mismatch',
      'The A records of shop.example do not include 192.0.2.9; they are 192.0.2.1, 192.0.2.2.',
    );
    const report = await look({ expectedRecords: [{ type: 'A', match: 'exact', values: ['192.0.2.1'] }] });
    expectDown(
      report,
      'content',
      'dns_mismatch',
      'The A records of shop.example are not exactly 192.0.2.1; they are 192.0.2.1, 192.0.2.2.',
    );
    expect(detailOf(report).records.A).to.deep.equal(['192.0.2.1', '192.0.2.2']);
  });

  describe('whose zone or resolver fails for some record types only', () => {
    /** The behaviour of a name server that fails for these types. */
    const failingFor =
      (types: readonly string[], failure: ReturnType<NameBehaviour>): NameBehaviour =>
      (asked) =>
        types.includes(asked.question.type) ? failure : records(SHOP)(asked);
    const GARBLED = (asked: Asked) => Buffer.from([asked.id >> 8, asked.id & 255, 0x81, 0x80, 0, 1]);

    it('has the records of all others, and the failure of each', async () => {
      for (const [failure, why] of [
        [{ rcode: 'NXDOMAIN' }, 'NXDOMAIN'],
        [{ rcode: 'SERVFAIL' }, 'SERVFAIL'],
        [{ rcode: 'NOTIMP' }, 'NOTIMP'],
        [{ rcode: 'REFUSED' }, 'REFUSED'],
        [null, 'no answer'],
      ] as const)
        for (const type of ['A', 'AAAA', 'TXT'] as const) {
          resolver.behave(failingFor([type], failure));
          const report = await look({ timeoutMs: 500 });
          expectUp(report);
          const { records: found, failures } = detailOf(report);
          expect(failures, `${type} ${why}`).to.deep.equal({ [type]: why });
          expect(Object.keys(found)).to.deep.equal(USUAL_RECORD_TYPES.filter((one) => one !== type));
          expect(found.MX).to.deep.equal(['10 mail.shop.example']);
        }
      resolver.behave((asked) => (asked.question.type === 'MX' ? GARBLED(asked) : records(SHOP)(asked)));
      expect(detailOf(await look()).failures).to.deep.equal({ MX: 'an invalid response' });
      resolver.behave(records(SHOP));
      expect(detailOf(await look())).to.not.have.property('failures');
    });

    it('fails if an expected type fails, and still has the records of the others', async () => {
      const at = `127.0.0.1:${resolver.port}`;
      const expectedRecords = [{ type: 'AAAA', match: 'any', values: ['2001:db8::1'] }] as const;
      for (const [failure, why] of [
        [{ rcode: 'NXDOMAIN' }, 'NXDOMAIN'],
        [{ rcode: 'SERVFAIL' }, 'SERVFAIL'],
        [null, 'no answer'],
      ] as const) {
        resolver.behave(failingFor(['AAAA', 'TXT'], failure));
        const report = await look({ expectedRecords, timeoutMs: 500 });
        expectDown(
          report,
          'dns',
          'dns_failure',
          `The resolver ${at} could not look up shop.example (${why} for AAAA records).`,
        );
        expect(detailOf(report).records).to.include.keys('A', 'MX', 'NS', 'CNAME');
        expect(detailOf(report).failures).to.deep.equal({ AAAA: why, TXT: why });
      }
      resolver.behave(failingFor(['TXT'], null));
      expectUp(await look({ expectedRecords, timeoutMs: 500 }));
    });

    it('fails if no type resolves, with the reason of each', async () => {
      const at = `127.0.0.1:${resolver.port}`;
      resolver.behave(({ question: { type } }) => {
        if (type === 'MX') return null;
        return type === 'NS' || type === 'TXT' ? {} : { rcode: 'SERVFAIL' };
      });
      const report = await look({ timeoutMs: 500 });
      expectDown(
        report,
        'dns',
        'dns_failure',
        `The resolver ${at} could not look up shop.example (SERVFAIL for A, AAAA and CNAME records; no answer for MX records).`,
      );
      expect(detailOf(report).records).to.deep.equal({ NS: [], TXT: [] });
    });

    it('fails for an alias whose target does not exist, and keeps the alias', async () => {
      const alias: Answer = { name: 'www.shop.example', type: 'CNAME', data: 'gone.example', ttl: 60 };
      const dangling: NameBehaviour = ({ question: { type } }) =>
        type === 'CNAME' ? { answers: [alias] } : { rcode: 'NXDOMAIN', answers: [alias] };
      const everywhere: NameBehaviour = () => ({ rcode: 'NXDOMAIN', answers: [alias] });
      for (const behaviour of [dangling, everywhere]) {
        resolver.behave(behaviour);
        const report = await look({ hostname: 'www.shop.example' });
        expectDown(report, 'dns', 'dns_not_found', /NXDOMAIN/);
        expect(detailOf(report).records).to.deep.equal({ CNAME: ['gone.example'] });
        expect(detailOf(report).failures).to.have.all.keys('A', 'AAAA', 'MX', 'NS', 'TXT');
      }
      resolver.behave(dangling);
      const expectedRecords = [{ type: 'A', match: 'any', values: ['192.0.2.1'] }] as const;
      const report = await look({ hostname: 'www.shop.example', expectedRecords });
      expectDown(report, 'dns', 'dns_not_found', /NXDOMAIN/);
      expect(detailOf(report).records).to.deep.equal({ CNAME: ['gone.example'] });
      expectDown(await look({ hostname: 'www.shop.example', recordTypes: ['A'] }), 'dns', 'dns_not_found', /NXDOMAIN/);
      expectUp(await look({ hostname: 'www.shop.example', recordTypes: ['CNAME'] }));
    });
  });

  it('has texts that are compared as they are, blanks included, and may be expected in quotes', async () => {
    const text = (data: string | Buffer | string[]): Answer => ({ name: 'shop.example', type: 'TXT', data, ttl: 1 });
    const all = (match: 'all' | 'exact', ...values: string[]) =>
      look({ recordTypes: ['TXT'], expectedRecords: [{ type: 'TXT', match, values }] });
    resolver.behave(() => ({
      answers: [text('token '), text(' led'), text(['v=spf1 ', '-all']), text('quote "hi" \\ é'), text('"quoted"')],
    }));
    expectUp(await all('exact', 'token ', ' led', 'v=spf1 -all', 'quote "hi" \\ é', '"quoted"'));
    expectUp(
      await all(
        'exact',
        '"token "',
        '" led"',
        ' "v=spf1 "  "-all"\n',
        '"quote \\"hi\\" \\\\ \\195\\169"',
        '"\\"quoted\\""',
      ),
    );
    for (const value of ['token', 'led', 'v=spf1  -all', '"token"', '"v=spf1" "-all"'])
      expectDown(await all('all', value), 'content', 'dns_mismatch', /do not include/);
  });

  it('that does not exist, fails or gets no answer is reported with the reason', async () => {
    const at = `127.0.0.1:${resolver.port}`;
    expectDown(
      await look({ hostname: 'nothing.example' }),
      'dns',
      'dns_not_found',
      `The name nothing.example does not exist according to the resolver ${at} (NXDOMAIN).`,
    );
    resolver.behave(() => ({ rcode: 'SERVFAIL' }));
    expectDown(
      await look(),
      'dns',
      'dns_failure',
      `The resolver ${at} could not look up shop.example (SERVFAIL for A, AAAA, CNAME, MX, NS and TXT records).`,
    );
    resolver.behave(() => null);
    expectDown(
      await look({ timeoutMs: 500 }),
      'dns',
      'timeout',
      // asked twice, a fifth of the time-out each
      `No answer about shop.example from ${at} within 0.2 s.`,
    );
    resolver.behave(({ question }) => Buffer.from(`no dns about ${question.name}`));
    expectDown(await look({ timeoutMs: 500 }), 'dns', 'timeout', /No answer/);
    resolver.behave(({ id }) => Buffer.from([id >> 8, id & 255, 0x81, 0x80, 0, 1]));
    expectDown(
      await look(),
      'dns',
      'protocol_error',
      `The resolver ${at} sent an invalid DNS response for shop.example.`,
    );
    expectDown(
      await look({ resolvers: ['127.0.0.1:1'] }),
      'connect',
      'connection_refused',
      'The resolver 127.0.0.1:1 refused the query: its port is closed.',
    );
  });

  it('whose response does not fit into a packet is reported if TCP does not work', async () => {
    const at = `127.0.0.1:${resolver.port}`;
    resolver.behave(({ via }) => (via === 'udp' ? { truncated: true } : null));
    expectDown(
      await look({ recordTypes: ['TXT'], timeoutMs: 1_000 }),
      'dns',
      'dns_failure',
      `The resolver ${at} has a response for shop.example that does not fit into a packet, and over TCP it does not answer.`,
    );
  });

  it('is looked up despite a lost packet', async () => {
    let seen = 0;
    resolver.behave((asked) => (++seen === 1 ? null : records(SHOP)(asked)));
    expectUp(await look({ recordTypes: ['A'], timeoutMs: 1_000 }));
  });

  it('is queried at the next resolver if the first one is silent or closed', async () => {
    const silent = await startNameServer({ behaviour: () => null, host: '127.0.0.4' });
    const report = await look({
      recordTypes: ['A'],
      resolvers: ['127.0.0.1:1', `127.0.0.4:${silent.port}`, `127.0.0.1:${resolver.port}`],
    });
    await silent.close();
    expectUp(report);
    expect(detailOf(report).resolver).to.equal(`127.0.0.1:${resolver.port}`);
  });

  it('can be queried at resolvers given by name, within the egress policy', async () => {
    const by = testProbes({
      lookup: (host, done) =>
        host === 'dns.example'
          ? done(null, ['127.0.0.1'])
          : done(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    });
    expectUp(await look({ recordTypes: ['A'], resolvers: [`dns.example:${resolver.port}`], by }));
    expectDown(
      await look({ resolvers: ['gone.example'], by }),
      'dns',
      'dns_not_found',
      'The resolver gone.example cannot be queried: its name has no address.',
    );
    const before = resolver.asked.length;
    for (const place of [`127.0.0.1:${resolver.port}`, `dns.example:${resolver.port}`, '169.254.169.254', '[::1]:53']) {
      expectDown(
        await look({ resolvers: [place], egress: 'public', by }),
        'egress',
        'address_not_allowed',
        /^Checks may not connect to /,
      );
    }
    expect(resolver.asked.length).to.equal(before);
    for (const place of ['', 'a:b', '127.0.0.1:0', '127.0.0.1:99999', '[1.2.3.4]:53', 'a b']) {
      expect((await look({ resolvers: [place] })).outcome, place).to.include({
        kind: 'down',
        reason: place === 'a b' ? 'dns_not_found' : 'invalid_target',
      });
    }
  });

  it('is not down if the agent’s own resolver fails', async () => {
    const by = testProbes({ isResolverAlive: () => Promise.resolve(false) });
    // The machine's resolver can return anything for such a name, if it does not answer other queries either.
    const report = await look({ hostname: 'a.b.c.servfail.invalid', resolvers: [], by, timeoutMs: 1_000 });
    expect(
      report.outcome.kind === 'inconclusive' ||
        (report.outcome.kind === 'down' && report.outcome.reason === 'dns_not_found'),
    ).to.equal(true);
  });

  describe('at the agent’s own resolvers', () => {
    let folder: string;
    before(() => void (folder = mkdtempSync(join(tmpdir(), 'watchpost-resolvers-'))));
    after(() => rmSync(folder, { recursive: true }));
    const lookAt = async (...behaviours: NameBehaviour[]): Promise<ProbeReport> => {
      const own = await Promise.all(behaviours.map((behaviour) => startNameServer({ behaviour })));
      const resolvConf = join(folder, 'resolv.conf');
      writeFileSync(resolvConf, own.map(({ host, port }) => `nameserver [${host}]:${port}\n`).join(''));
      const names = new SystemNames({ resolvConf });
      const report = await look({ recordTypes: ['A', 'TXT'], resolvers: [], by: testProbes({ names }) });
      await Promise.all(own.map((server) => server.close()));
      return report;
    };
    const failing =
      (rcode: 'SERVFAIL' | 'REFUSED'): NameBehaviour =>
      () => ({ rcode });

    it('is looked up at the next one if the first one fails, and does not exist if that one answers so', async () => {
      for (const rcode of ['SERVFAIL', 'REFUSED'] as const) {
        const report = await lookAt(failing(rcode), records(SHOP));
        expectUp(report);
        expect(detailOf(report).records).to.deep.equal({ A: ['192.0.2.1', '192.0.2.2'], TXT: ['v=spf1 -all'] });
      }
      expectDown(await lookAt(failing('SERVFAIL'), records([])), 'dns', 'dns_not_found', /does not exist/);
    });

    it('fails if all of them fail that answer', async () => {
      const refusingAll = failing('REFUSED');
      expectDown(await lookAt(failing('SERVFAIL'), refusingAll), 'dns', 'dns_failure', /REFUSED for A and TXT records/);
      const report = await lookAt(refusingAll, () => null);
      expectDown(report, 'dns', 'dns_failure', /REFUSED for A and TXT records/);
    });
  });

  it('fails if the first resolver of the monitor fails', async () => {
    const failing = await startNameServer({ behaviour: () => ({ rcode: 'SERVFAIL' }) });
    const resolvers = [failing, resolver].map(({ host, port }) => `${host}:${port}`);
    const report = await look({ recordTypes: ['A'], resolvers });
    await failing.close();
    expectDown(report, 'dns', 'dns_failure', /SERVFAIL for A records/);
  });

  it('that is invalid is reported', async () => {
    for (const hostname of ['', '.', 'a..b', '-a.example', 'a b', `${'a'.repeat(64)}.example`, 'a/b']) {
      expect((await look({ hostname })).outcome, hostname).to.include({ kind: 'down', reason: 'invalid_target' });
    }
  });

  describe('at the servers of its zone', () => {
    const servers: NameServer[] = [];
    before(async () => {
      for (const host of ['127.0.0.2', '127.0.0.3'])
        servers.push(await startNameServer({ behaviour: records(SHOP), host, port: resolver.port }));
    });
    after(() => Promise.all(servers.map((server) => server.close())));
    const propagation = async (first: Answer[] | null, second: Answer[] | null, timeoutMs = 3_000) => {
      servers[0]!.behave(first ? records(first) : () => null);
      servers[1]!.behave(second ? records(second) : () => null);
      const report = await look({ recordTypes: ['A', 'MX'], checkPropagation: true, timeoutMs });
      expectUp(report);
      return detailOf(report).propagation!;
    };

    it('is consistent', async () => {
      const found = await propagation([...SHOP, soa(7)], [...SHOP.toReversed(), soa(7)]);
      expect(found).to.deep.include({ consistent: true, convergedPercent: 100 });
      expect(found.servers[0]).to.deep.equal({
        server: 'ns1.shop.example (127.0.0.2)',
        serial: 7,
        records: { A: ['192.0.2.1', '192.0.2.2'], MX: ['10 mail.shop.example'] },
        error: null,
      });
      expect(servers[0]!.asked.at(-1)!.recursive).to.equal(false);
    });

    it('is inconsistent by its serial or its records', async () => {
      expect(await propagation([...SHOP, soa(8)], [...SHOP, soa(7)])).to.deep.include({
        consistent: false,
        convergedPercent: 50,
      });
      const changed: Answer[] = [{ name: 'shop.example', type: 'A', data: '192.0.2.99', ttl: 1 }, soa(7)];
      const found = await propagation([...SHOP, soa(7)], changed);
      expect(found.consistent).to.equal(false);
      expect(found.servers.map((server) => server.records!.A)).to.deep.equal([
        ['192.0.2.1', '192.0.2.2'],
        ['192.0.2.99'],
      ]);
    });

    it('has the fault of each server, within the timeout', async () => {
      const silent = await propagation([...SHOP, soa(7)], null, 700);
      expect(silent).to.deep.include({ consistent: true, convergedPercent: 50 });
      expect(silent.servers[1]).to.deep.include({ error: 'no answer', records: null });
      servers[1]!.behave(() => ({ authoritative: false }));
      servers[0]!.behave(() => ({ rcode: 'REFUSED' }));
      const lame = detailOf(await look({ recordTypes: ['A'], checkPropagation: true })).propagation!;
      expect(lame.servers.map((server) => server.error)).to.deep.equal([
        'answers REFUSED',
        'is not authoritative for the zone (lame delegation)',
      ]);
      expect(lame).to.deep.include({ consistent: false, convergedPercent: 0 });
    });

    it('has the records of a server that fails for one type, and names the type', async () => {
      servers[0]!.behave((asked) => (asked.question.type === 'MX' ? { rcode: 'SERVFAIL' } : records(SHOP)(asked)));
      servers[1]!.behave(records([...SHOP, soa(7)]));
      const { servers: found } = detailOf(
        await look({ recordTypes: ['A', 'MX'], checkPropagation: true }),
      ).propagation!;
      expect(found.map(({ error }) => error)).to.deep.equal(['answers SERVFAIL for MX records', null]);
      expect(found[0]!.records).to.deep.equal({ A: ['192.0.2.1', '192.0.2.2'] });
    });

    it('is not queried for types that fail everywhere', async () => {
      const failing: NameBehaviour = (asked) =>
        asked.question.type === 'AAAA' ? { rcode: 'NOTIMP' } : records([...SHOP, soa(7)])(asked);
      for (const server of [resolver, ...servers]) server.behave(failing);
      const found = detailOf(await look({ recordTypes: ['A', 'AAAA'], checkPropagation: true })).propagation!;
      expect(found).to.deep.include({ consistent: true, convergedPercent: 100 });
      expect(found.servers.map(({ error }) => error)).to.deep.equal([null, null]);
    });

    it('includes a server whose name has no address', async () => {
      const lost: Answer = { name: 'shop.example', type: 'NS', data: 'lost.shop.example', ttl: 60 };
      resolver.behave(records([...SHOP, lost]));
      const found = await propagation([...SHOP, soa(7)], [...SHOP, soa(7)]);
      expect(found).to.deep.include({ convergedPercent: 67 });
      expect(found.servers[0]).to.deep.equal({
        server: 'lost.shop.example',
        serial: null,
        records: null,
        error: 'its name has no address',
      });
    });

    describe('that has many of them', () => {
      const names = Array.from({ length: 100 }, (_, index) => `ns${index + 100}.shop.example`);
      const many: Answer[] = names.flatMap((data): Answer[] => [
        { name: 'shop.example', type: 'NS', data, ttl: 60 },
        { name: data, type: 'A', data: '127.0.0.2', ttl: 60 },
      ]);
      const zone = [...SHOP.filter(({ type }) => type !== 'NS'), ...many, soa(7)];

      it('looks up the addresses of a few servers at a time, and of 32 at most', async () => {
        const isServer = (name: string) => names.includes(name);
        resolver.behave((asked) => (isServer(asked.question.name) ? null : records(zone)(asked)));
        const before = resolver.asked.length;
        await look({ recordTypes: ['A'], checkPropagation: true, timeoutMs: 700 });
        const seen: string[] = [];
        // Until the first query is repeated, none of the names has been given up.
        for (const { question } of resolver.asked.slice(before).filter((asked) => isServer(asked.question.name))) {
          const query = `${question.type} ${question.name}`;
          if (seen.includes(query)) break;
          seen.push(query);
        }
        expect(seen).to.have.length(8);
        resolver.behave(records(zone));
        servers[0]!.behave(records(zone));
        const asked = resolver.asked.length;
        const found = detailOf(await look({ recordTypes: ['A'], checkPropagation: true })).propagation!;
        expect(found).to.deep.include({ consistent: true, convergedPercent: 100 });
        expect(found.servers).to.have.length(32);
        const lookedUp = resolver.asked.slice(asked).filter(({ question }) => isServer(question.name));
        expect(lookedUp).to.have.length(64);
      });

      it('opens a few connections at a time if every server truncates its response', async () => {
        const [truncating] = servers;
        resolver.behave(records(zone));
        truncating!.behave(({ via }) => (via === 'udp' ? { truncated: true } : null));
        await look({ recordTypes: ['A'], checkPropagation: true, timeoutMs: 1_000 });
        // A connection that has ended can be seen a little longer by the server than by the check.
        expect(truncating!.mostConnections).to.be.within(8, 16);
      });
    });

    it('is found although the resolver is silent about NS records of the name', async () => {
      for (const server of servers) server.behave(records([...SHOP, soa(7)]));
      resolver.behave((asked) =>
        asked.question.type === 'NS' && asked.question.name === 'www.shop.example' ? null : records(SHOP)(asked),
      );
      const report = await look({
        hostname: 'www.shop.example',
        recordTypes: ['CNAME', 'NS'],
        checkPropagation: true,
        timeoutMs: 3_000,
      });
      expectUp(report);
      expect(detailOf(report).failures).to.deep.equal({ NS: 'no answer' });
      expect(detailOf(report).propagation!.servers.map(({ serial }) => serial)).to.deep.equal([7, 7]);
    });

    it('is found from a name below the zone and through an alias', async () => {
      servers[0]!.behave(records([...SHOP, soa(7)]));
      servers[1]!.behave(records([...SHOP, soa(7)]));
      const found = detailOf(
        await look({ hostname: 'www.shop.example', recordTypes: ['CNAME'], checkPropagation: true }),
      ).propagation!;
      expect(found.servers.map((server) => [server.serial, server.records])).to.deep.equal([
        [7, { CNAME: ['shop.example'] }],
        [7, { CNAME: ['shop.example'] }],
      ]);
    });

    it('is queried over IPv6, too, at every address of a server', async () => {
      const zone = [...SHOP, soa(7), { name: 'ns1.shop.example', type: 'AAAA' as const, data: '::1', ttl: 60 }];
      const sixth = await startNameServer({ behaviour: records([...SHOP, soa(6)]), host: '::1', port: resolver.port });
      try {
        resolver.behave(records(zone));
        const found = await propagation(zone, zone);
        expect(found.servers.map(({ server, serial }) => [server, serial])).to.deep.equal([
          ['ns1.shop.example (127.0.0.2)', 7],
          ['ns1.shop.example (::1)', 6],
          ['ns2.shop.example (127.0.0.3)', 7],
        ]);
        expect(found).to.deep.include({ consistent: false, convergedPercent: 67 });
      } finally {
        await sixth.close();
      }
    });

    it('is not queried where the egress policy forbids it', async () => {
      const by = testProbes({
        dnsPort: resolver.port,
        monitorEgress: { allows: (ip) => ip === '127.0.0.1', why: (ip) => `${ip} is off limits`, refusal: () => null },
      });
      const found = detailOf(await look({ recordTypes: ['A'], checkPropagation: true, by })).propagation!;
      expect(found.servers.map((server) => server.error)).to.deep.equal([
        'not asked: 127.0.0.2 is off limits',
        'not asked: 127.0.0.3 is off limits',
      ]);
    });
  });
});
