import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Answer } from 'dns-packet';
import { SystemNames } from '@watchpost/shared/names/system-names';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { createEgressAgent } from '@watchpost/control-plane/capabilities/channels/sending/egress-agent';
import { fetchBounded } from '@watchpost/control-plane/platform/http/fetch-bounded';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { records, startNameServer, type NameBehaviour, type NameServer } from '../../support/name-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';

const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 300, data });
const aaaa = (name: string, data: string): Answer => ({ type: 'AAAA', name, ttl: 300, data });
const RECORDS = records([
  a('shop.example', '192.0.2.1'),
  aaaa('shop.example', '2001:db8::1'),
  a('db.corp.test', '10.0.0.7'),
  { type: 'CNAME', name: 'www.shop.example', ttl: 300, data: 'shop.example' },
]);

describe('the names of the machine', () => {
  let folder: string;
  const servers: NameServer[] = [];
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'watchpost-names-'))));
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    rmSync(folder, { recursive: true });
  });

  async function serve(behaviour: NameBehaviour, host?: string): Promise<NameServer> {
    const server = await startNameServer({ behaviour, ...(host ? { host } : {}) });
    servers.push(server);
    return server;
  }
  function write(name: 'resolv.conf' | 'hosts', ...lines: string[]): string {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    return join(folder, name);
  }
  const nameserver = ({ host, port }: Pick<NameServer, 'host' | 'port'>) => `nameserver [${host}]:${port}`;
  function namesOf(...conf: string[]): SystemNames {
    return new SystemNames({ resolvConf: write('resolv.conf', ...conf), hosts: write('hosts', '10.9.9.9 router.lan') });
  }
  const look = (names: SystemNames, host: string) =>
    new Promise<string>((resolve) =>
      names.lookup(host, (error, found) => resolve(error?.code ?? found.toSorted().join())),
    );

  it('are found in the hosts file, then at the name servers, for both address families', async () => {
    const names = namesOf(nameserver(await serve(RECORDS)));
    expect(await look(names, 'router.lan')).to.equal('10.9.9.9');
    expect(await look(names, 'shop.example')).to.equal('192.0.2.1,2001:db8::1');
    expect(await look(names, 'SHOP.example.')).to.equal('192.0.2.1,2001:db8::1');
    expect(await look(names, '192.0.2.200')).to.equal('192.0.2.200');
    expect(await look(names, 'localhost')).to.contain('127.0.0.1');
    expect(await look(names, 'nowhere.example')).to.equal('ENOTFOUND');
    expect(servers[0]!.asked.every(({ recursive }) => recursive)).to.equal(true);
  });

  it('are tried with the search domains, in the order of ndots', async () => {
    const server = await serve(RECORDS);
    const names = namesOf(nameserver(server), 'search none.test corp.test');
    expect(await look(names, 'db')).to.equal('10.0.0.7');
    expect(new Set(server.asked.map(({ question }) => question.name))).to.deep.equal(
      new Set(['db.none.test', 'db.corp.test']),
    );
    expect(await look(names, 'db.')).to.equal('ENOTFOUND');
  });

  it('that are invalid are not queried', async () => {
    const server = await serve(RECORDS);
    const names = namesOf(nameserver(server));
    for (const host of ['', '.', 'a..b', `${'x'.repeat(64)}.example`, `${'abcdefgh.'.repeat(32)}example`])
      expect(await look(names, host), host).to.equal('ENOTFOUND');
    expect(server.asked).to.deep.equal([]);
  });

  it('fail with the code of the fault', async () => {
    const names = namesOf(nameserver(await serve(() => ({ rcode: 'SERVFAIL' }))));
    expect(await look(names, 'shop.example')).to.equal('ESERVFAIL');
    expect(
      await look(namesOf(nameserver(await serve(() => null)), 'options timeout:1 attempts:1'), 'shop.example'),
    ).to.equal('ETIMEOUT');
    const closed = await serve(RECORDS);
    await closed.close();
    servers.splice(servers.indexOf(closed), 1);
    expect(await look(namesOf(nameserver(closed)), 'shop.example')).to.equal('ECONNREFUSED');
  });

  it('are queried at the next server if the first one fails, and then there first', async () => {
    const [first, second] = [await serve(() => ({ rcode: 'REFUSED' })), await serve(RECORDS, '127.0.0.2')];
    const names = namesOf(nameserver(first), nameserver(second));
    expect(await look(names, 'shop.example')).to.contain('192.0.2.1');
    const before = first.asked.length;
    expect(await look(names, 'shop.example')).to.contain('192.0.2.1');
    expect(first.asked.length).to.equal(before);
  });

  it('do not wait long for an address family without an answer', async () => {
    const names = namesOf(nameserver(await serve((asked) => (asked.question.type === 'AAAA' ? null : RECORDS(asked)))));
    expect(await look(names, 'shop.example')).to.equal('192.0.2.1');
  });

  it('are queried over TCP if the response does not fit into a packet', async () => {
    const server = await serve((asked) => (asked.via === 'udp' ? { truncated: true } : RECORDS(asked)));
    expect(await look(namesOf(nameserver(server)), 'shop.example')).to.contain('192.0.2.1');
  });

  it('follow changes of resolv.conf and the hosts file at once', async () => {
    const [first, second] = [await serve(RECORDS), await serve(records([a('shop.example', '198.51.100.7')]))];
    const names = namesOf(nameserver(first));
    expect(await look(names, 'shop.example')).to.contain('192.0.2.1');
    write('resolv.conf', nameserver(second), '# changed');
    write('hosts', '10.9.9.10 router.lan');
    await eventually(
      'the other server is asked',
      async () => (await look(names, 'shop.example')) === '198.51.100.7' || undefined,
      PATIENCE_MS,
      100,
    );
    expect(await look(names, 'router.lan')).to.equal('10.9.9.10');
    expect(names.servers).to.deep.equal([{ ip: second.host, port: second.port }]);
  });

  it('report whether any server works', async () => {
    const [silent, alive] = [await serve(() => null), await serve(() => ({ rcode: 'REFUSED' }), '127.0.0.2')];
    expect(await namesOf(nameserver(silent)).isAlive(300)).to.equal(false);
    expect(await namesOf(nameserver(silent), nameserver(alive)).isAlive(5_000)).to.equal(true);
  });

  it('that never resolve delay neither other names nor the threads of the process', async () => {
    const slow: NameBehaviour = (asked) => (asked.question.name.startsWith('slow') ? null : RECORDS(asked));
    const names = namesOf(nameserver(await serve(slow)), 'options timeout:5 attempts:1');
    let ended = 0;
    const open = Array.from({ length: 100 }, (_, index) =>
      look(names, `slow-${index}.example`).finally(() => void ended++),
    );
    expect(await look(names, 'shop.example')).to.contain('192.0.2.1');
    await promisify(pbkdf2)('x', 'y', 1, 32, 'sha256');
    expect(ended, 'all of them are still open').to.equal(0);
    expect(new Set(await Promise.all(open))).to.deep.equal(new Set(['ETIMEOUT']));
  });

  it('of a webhook that never resolve do not delay another webhook', async () => {
    const target = await startTarget({ behaviour: answer({ status: 204 }) });
    const behaviour: NameBehaviour = (asked) => {
      if (asked.question.name.startsWith('slow')) return null;
      return asked.question.type === 'A' ? { answers: [a(asked.question.name, '127.0.0.1')] } : {};
    };
    const names = namesOf(nameserver(await serve(behaviour)));
    const outbound = createEgressAgent(createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] }), names);
    const { port } = new URL(target.url);
    const post = (host: string) =>
      outbound.request({ origin: `http://${host}:${port}`, path: '/', method: 'POST' }).then(
        ({ statusCode }) => statusCode,
        (error: NodeJS.ErrnoException) => error.code,
      );
    let ended = 0;
    const hostile = Array.from({ length: 100 }, (_, index) =>
      post(`slow-${index}.example`).finally(() => void ended++),
    );
    expect(await post('hooks.victim.example')).to.equal(204);
    expect(ended, 'all of them are still open').to.equal(0);
    await outbound.destroy();
    await Promise.all(hostile);
    await target.close();
  });

  it('are resolved for each connection, so that one that becomes a refused address leads nowhere', async () => {
    let address = '127.0.0.1';
    const rebinding: NameBehaviour = ({ question: { type, name } }) =>
      type === 'A' ? { answers: [{ type, name, ttl: 0, data: address }] } : {};
    const names = namesOf(nameserver(await serve(rebinding)));
    const refused = await startTarget({ host: '127.0.0.2', behaviour: answer({ body: 'of the inside' }) });
    const allowed = await startTarget({
      behaviour: (exchange) => {
        address = refused.host;
        return answer({ status: 302, headers: { location: `http://rebound.example:${refused.port}/` } })(exchange);
      },
    });
    const outbound = createEgressAgent(createEgressPolicy({ allowCidrs: ['127.0.0.1/32'] }), names);
    const bounds = { accept: 'text/calendar', mostBytes: 1_024 };
    expect(await fetchBounded(`http://rebound.example:${allowed.port}/`, outbound, bounds)).to.deep.equal({
      statusCode: null,
      why: "it is refused by this service's egress policy",
    });
    expect([allowed.requests.length, refused.connections]).to.deep.equal([1, 0]);
    await outbound.destroy();
    await Promise.all([allowed.close(), refused.close()]);
  });
});
