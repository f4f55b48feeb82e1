import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { connectToFaults, hostOfUrl, placeOfUrl, resolverFaults, urlFaults, urlTypeFaults } from './monitor-url.js';

const closed = createEgressPolicy({ allowCidrs: [] });
const open = createEgressPolicy({ allowCidrs: ['127.0.0.0/8', '10.0.0.0/8', '::1/128'] });

describe('monitor URL', () => {
  it('takes what the types need', () => {
    for (const [url, types] of [
      ['https://example.com', ['HttpAvailability', 'SslCertificate', 'Latency', 'Dns']],
      ['http://example.com:8080/a?b=c#d', ['HttpAvailability']],
      ['HTTPS://EXAMPLE.com/ü', ['HttpAvailability']],
      ['https://bücher.example/', ['HttpAvailability']],
      ['http://8.8.8.8/', ['HttpAvailability']],
      ['https://[2606:4700:4700::1111]/', ['SslCertificate']],
      ['example.com', ['Dns']],
      ['tcp://example.com:22', ['TcpUdp']],
      ['udp://[2606:4700:4700::1111]:53/', ['TcpUdp']],
    ] as const) {
      expect(urlFaults(url, closed), url).to.deep.equal([]);
      expect(urlTypeFaults(url, types), url).to.deep.equal([]);
    }
  });

  it('has a fault that names the part that is not allowed', () => {
    for (const [url, words] of [
      ['https://user:secret@example.com/', 'credentials'],
      ['https://user@example.com/', 'credentials'],
      ['ftp://example.com/', 'must be an http://'],
      ['javascript:alert(1)', 'must be an http://'],
      ['file:///etc/passwd', 'must be an http://'],
      ['//example.com/', 'must be an http://'],
      ['https://', 'must be an http://'],
      ['http://exa mple.com/', 'white space'],
      ['http://example.com/\r\nHost: x', 'white space'],
      ['http://example.com:0/', 'port 0'],
      ['http://example.com:99999/', 'must be an http://'],
      ['tcp://example.com', 'name a port'],
      ['tcp://example.com:22/path', 'nothing after the port'],
    ] as const) {
      expect(urlFaults(url, closed).join('; '), url).to.contain(words);
    }
  });

  it('names every fault of a URL at once', () => {
    expect(urlFaults('http://me:pw@127.0.0.1:0/', closed)).to.have.length(3);
  });

  it('refuses addresses outside the egress policy in every spelling, and names their class', () => {
    for (const url of [
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://127.1/',
      'http://0177.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://localhost/',
      'http://LOCALHOST.:8080/',
      'http://shop.localhost/',
      'tcp://127.0.0.1:22',
      'tcp://0x7f.1:22',
      'tcp://localhost:22',
      'localhost',
      '127.0.0.1',
      'http://10.1.2.3/',
      'http://127%2e0%2e0%2e1/',
      'http://①②⑦.0.0.1/',
    ]) {
      const faults = urlFaults(url, closed);
      expect(faults.join(), url).to.match(/PROBE_ALLOW_CIDRS\): .+ (is|this) /);
      expect(urlFaults(url, open), url).to.deep.equal([]);
    }
    for (const url of ['http://169.254.169.254/latest/', 'http://0.0.0.0/', 'http://[fe80::1]/', 'http://224.0.0.1/']) {
      expect(urlFaults(url, open).join(), url).to.contain('egress policy');
    }
  });

  it('has faults that depend on the type', () => {
    expect(urlTypeFaults('tcp://example.com:22', ['HttpAvailability', 'Latency'])).to.have.length(2);
    expect(urlTypeFaults('https://example.com', ['TcpUdp']).join()).to.contain('tcp://host:port');
    expect(urlTypeFaults('example.com', ['HttpAvailability']).join()).to.contain('https:// URL');
    expect(urlTypeFaults('http://example.com', ['SslCertificate']).join()).to.contain('https://');
    expect(urlTypeFaults('https://8.8.8.8/', ['Dns']).join()).to.contain('host name');
    expect(urlTypeFaults('example.com', ['Dns', 'SslCertificate']).join()).to.contain('https://');
    // no URL suits these together: the types are at fault
    for (const url of ['tcp://example.com:22', 'https://example.com'])
      expect(urlTypeFaults(url, ['TcpUdp', 'HttpAvailability'])).to.deep.equal([]);
  });

  it('leads to a host in ASCII and a port', () => {
    for (const [url, place] of [
      ['https://Bücher.example/x', { kind: 'https', host: 'xn--bcher-kva.example', port: 443 }],
      ['http://shop.example:8080', { kind: 'http', host: 'shop.example', port: 8_080 }],
      ['https://[2606:4700:4700::1111]:8443/', { kind: 'https', host: '2606:4700:4700::1111', port: 8_443 }],
      ['Bücher.example', { kind: 'hostname', host: 'xn--bcher-kva.example', port: null }],
      ['tcp://Bücher.example:22', { kind: 'tcp', host: 'xn--bcher-kva.example', port: 22 }],
      ['tcp://0x7f.1:80', { kind: 'tcp', host: '127.0.0.1', port: 80 }],
      ['udp://[2606:4700::0:1]:53', { kind: 'udp', host: '2606:4700::1', port: 53 }],
    ] as const)
      expect(placeOfUrl(url), url).to.deep.equal(place);
    for (const url of ['', 'ftp://a.example', 'tcp://a%2fb.example:1', 'a/b'])
      expect(placeOfUrl(url)).to.equal(undefined);
  });

  it('gives a monitor without a name that of its host', () => {
    expect(hostOfUrl('https://shop.example:8443/x')).to.equal('shop.example');
    expect(hostOfUrl('udp://ntp.example:123')).to.equal('ntp.example');
    expect(hostOfUrl('Example.com')).to.equal('example.com');
  });
});

describe('DNS resolver', () => {
  it('is a host or host:port', () => {
    for (const text of [
      '1.1.1.1',
      '1.1.1.1:5353',
      'dns.example',
      '2606:4700:4700::1111',
      '[2606:4700:4700::1111]:53',
    ]) {
      expect(resolverFaults(text), text).to.deep.equal([]);
    }
    for (const text of [
      '1.1.1.1:0',
      'a b',
      'https://dns.example',
      'dns.example/x',
      'user@dns.example',
      ':53',
      '1.1.1.1:99999',
    ]) {
      expect(resolverFaults(text), text).to.deep.equal(['must be a host or host:port']);
    }
  });
});

describe('the place that an HTTP check connects to', () => {
  it('is host:port without a scheme', () => {
    for (const text of ['203.0.113.7:443', 'origin.shop.example:8443', '[2606:4700::1]:443', '8.8.8.8:1'])
      expect(connectToFaults(text), text).to.deep.equal([]);
    for (const text of [
      ...[
        'shop.example',
        'shop.example:0',
        'shop.example:65536',
        'shop.example:-1',
        'shop.example:x',
        ':443',
        '443',
        '',
      ],
      ...['2606:4700::1', '2606:4700::1:443', '[2606:4700::1]', '[2606:4700::1', 'a b:443', 'a.example:443/x'],
      ...[
        'user@a.example:443',
        'a.example:443?q',
        'a.example:443#f',
        'a.example:80:443',
        'a.example:443,b.example:443',
      ],
    ])
      expect(connectToFaults(text), text).to.deep.equal([
        'must be host:port with a port from 1 to 65535 and an IPv6 address in brackets, like shop.example:8443 or [2001:db8::1]:443',
      ]);
    expect(connectToFaults('https://shop.example:443')).to.deep.equal([
      'must be host:port without a scheme: whether TLS is used follows from `url`',
    ]);
  });
});
