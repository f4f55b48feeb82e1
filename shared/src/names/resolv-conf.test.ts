import { expect } from 'chai';
import fc from 'fast-check';
import { addressesIn, parseHosts } from './hosts-file.js';
import { candidateNames, parseResolvConf } from './resolv-conf.js';

describe('resolv.conf', () => {
  it('has servers, search domains and options', () => {
    const text = [
      '# by hand',
      'nameserver 10.0.0.2',
      'nameserver 2001:db8::53',
      'nameserver [127.0.0.1]:5353',
      'nameserver 10.0.0.9',
      'search Corp.Example. example',
      'options ndots:3 timeout:2 attempts:4 rotate',
    ].join('\n');
    expect(parseResolvConf(text, 'host.other.example')).to.deep.equal({
      servers: [
        { ip: '10.0.0.2', port: 53 },
        { ip: '2001:db8::53', port: 53 },
        { ip: '127.0.0.1', port: 5353 },
      ],
      search: ['corp.example', 'example'],
      ndots: 3,
      timeoutMs: 2_000,
      attempts: 4,
    });
  });

  it('has the usual defaults if it is empty or invalid', () => {
    for (const text of ['', 'nameserver\nnameserver nowhere\noptions ndots:x timeout:0 attempts:0', '\0\0 nameserver'])
      expect(parseResolvConf(text)).to.deep.include({ servers: [{ ip: '127.0.0.1', port: 53 }], search: [], ndots: 1 });
    expect(parseResolvConf('options timeout:0 attempts:0')).to.include({ timeoutMs: 1_000, attempts: 1 });
    expect(parseResolvConf('', 'host.corp.example').search).to.deep.equal(['corp.example']);
    expect(parseResolvConf('search a\ndomain b c').search).to.deep.equal(['b']);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseResolvConf(text).servers).to.have.length.within(1, 3);
      }),
    );
  });

  it('decides by the dots of a name whether the search domains come first', () => {
    const conf = { search: ['a.test', 'b.test'], ndots: 1 };
    expect(candidateNames('db', conf)).to.deep.equal(['db.a.test', 'db.b.test', 'db']);
    expect(candidateNames('shop.example', conf)).to.deep.equal([
      'shop.example',
      'shop.example.a.test',
      'shop.example.b.test',
    ]);
    expect(candidateNames('shop.example', { ...conf, ndots: 5 }).at(-1)).to.equal('shop.example');
    expect(candidateNames('shop.example.', conf)).to.deep.equal(['shop.example']);
  });
});

describe('the hosts file', () => {
  const hosts = parseHosts(
    [
      '127.0.0.1 localhost',
      '::1 localhost ip6-localhost',
      '10.0.0.7\tDB db.corp # ours',
      'nonsense db',
      '#1.1.1.1 x',
    ].join('\n'),
  );

  it('has every address of a name, case-insensitive', () => {
    expect(addressesIn(hosts, 'localhost')).to.deep.equal(['127.0.0.1', '::1']);
    expect(addressesIn(hosts, 'Db')).to.deep.equal(['10.0.0.7']);
    expect(addressesIn(hosts, 'db.corp.')).to.deep.equal(['10.0.0.7']);
    expect(addressesIn(hosts, 'x')).to.equal(undefined);
  });

  it('is not needed for localhost', () => {
    expect(addressesIn(parseHosts(''), 'localhost')).to.deep.equal(['127.0.0.1', '::1']);
    expect(addressesIn(parseHosts(''), 'app.localhost')).to.deep.equal(['127.0.0.1', '::1']);
  });
});
