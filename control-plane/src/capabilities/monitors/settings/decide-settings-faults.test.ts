import { expect } from 'chai';
import fc from 'fast-check';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { isAlone } from './monitor-url.js';
import { contradictable, decideSettingsFaults } from './decide-settings-faults.js';

const MAIL_PORTS = [25, 465, 587];
const GROUP = '01a1fdfa-4600-760e-914b-000000000001';

describe('settings of a type that is alone', () => {
  const alone = MONITOR_TYPES.filter(isAlone);

  it('are those of pings, gRPC, WebSockets and services, on Enterprise', () => {
    expect(alone).to.include.members(['Ping', 'Grpc', 'WebSocket', 'TcpUdp']);
    for (const type of ['Ping', 'Grpc', 'WebSocket', 'TcpUdp'] as const)
      expect(factsOf(type).plan, type).to.equal('Enterprise');
  });

  it('have no other type beside it, and no service group', () => {
    for (const type of alone) {
      const url = factsOf(type).url.example!;
      const at = (more: object) => decideSettingsFaults({ url, monitorTypes: [type], ...more }).map(({ path }) => path);
      expect(at({ serviceGroupId: null }), type).to.deep.equal([]);
      expect(at({ serviceGroupId: GROUP }), type).to.deep.equal(['serviceGroupId']);
      expect(at({ monitorTypes: [type, 'HttpAvailability'] }), type).to.include('monitorTypes');
    }
  });
});

describe('settings of a monitor that sends bytes', () => {
  const sendFaults = (url: string, send: string | null) =>
    decideSettingsFaults({ url, tcpUdp: { send } }).filter(({ path }) => path === 'tcpUdp.send');

  it('are refused for the ports of mail in every spelling of scheme, host and port', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('tcp', 'udp', 'TCP', 'Udp'),
        fc.constantFrom('mail.example', '192.0.2.7', '[2001:db8::1]', 'Bücher.example', 'a%2eexample', '3221225991'),
        fc.constantFrom(...MAIL_PORTS),
        fc.nat({ max: 30 }),
        fc.constantFrom('', '/'),
        fc.constantFrom('QUIT\r\n', 'hex:00', ' '),
        (scheme, host, port, zeros, end, send) => {
          const url = `${scheme}://${host}:${'0'.repeat(zeros)}${port}${end}`;
          expect(sendFaults(url, send), url).to.have.length(1);
          expect(sendFaults(url, null), url).to.deep.equal([]);
        },
      ),
    );
  });

  it('are in order for every other port', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 65_535 }).filter((port) => !MAIL_PORTS.includes(port)),
        (port) => {
          expect(sendFaults(`tcp://host.example:${port}`, 'PING')).to.deep.equal([]);
        },
      ),
    );
  });
});

describe('settings for one address family', () => {
  const faultsOf = (url: string, addresses: string) =>
    (['http', 'ssl', 'tcpUdp'] as const).flatMap((field) => decideSettingsFaults({ url, [field]: { addresses } }));

  it('are refused for a URL with an address of the other one in any spelling, and for no name', () => {
    for (const [url, own, other] of [
      ['https://192.0.2.7/', 'ipv4', 'ipv6'],
      ['https://0xC0000207/', 'ipv4', 'ipv6'],
      ['tcp://3221225991:25', 'ipv4', 'ipv6'],
      ['https://[::ffff:192.0.2.7]/', 'ipv4', 'ipv6'],
      ['https://[2001:db8::1]:8443/', 'ipv6', 'ipv4'],
      ['tcp://[2001:db8::1]:25', 'ipv6', 'ipv4'],
    ] as const) {
      expect(faultsOf(url, own), url).to.deep.equal([]);
      expect(faultsOf(url, 'first'), url).to.deep.equal([]);
      expect(
        faultsOf(url, other).map(({ path }) => path),
        url,
      ).to.deep.equal(['http.addresses', 'ssl.addresses', 'tcpUdp.addresses']);
    }
    expect(faultsOf('https://shop.example/', 'ipv6')).to.deep.equal([]);
    expect(faultsOf('https://192.0.2.7/', 'ipv6')[0]!.message).to.equal(
      'cannot be ipv6: the URL has the IPv4 address 192.0.2.7',
    );
  });

  it('are held against the place that HTTP checks connect to, where there is one', () => {
    const url = 'https://192.0.2.7/';
    const faults = (connectTo: string, addresses: string) =>
      decideSettingsFaults({ url, http: { connectTo, addresses } });
    expect(faults('[2001:db8::1]:443', 'ipv6')).to.deep.equal([]);
    expect(faults('origin.example:443', 'ipv6')).to.deep.equal([]);
    expect(faults('[2001:db8::1]:443', 'ipv4')[0]!.message).to.equal(
      'cannot be ipv4: `http.connectTo` has the IPv6 address 2001:db8::1',
    );
  });
});

describe('assertions about a body', () => {
  it('are refused with HEAD, each at its place, and with no other method', () => {
    const assertions = [{ source: 'status' }, { source: 'json' }, { source: 'body' }];
    const paths = (method: string) => decideSettingsFaults({ http: { method, assertions } }).map(({ path }) => path);
    expect(paths('HEAD')).to.deep.equal(['http.assertions.1.source', 'http.assertions.2.source']);
    expect(paths('GET')).to.deep.equal([]);
  });

  it('lets a script, or a preset, be in place of what is sent and expected, over TCP', () => {
    const at = (url: string, tcpUdp: object) =>
      decideSettingsFaults(contradictable.parse({ url, tcpUdp })).map(({ path }) => path);
    const script = [{ send: 'PING\r\n' }];
    expect(at('tcp://a.example:6379', { preset: 'redis' })).to.deep.equal([]);
    expect(at('tcp://a.example:6379', { script })).to.deep.equal([]);
    expect(at('tcp://a.example:6379', { script, send: 'a', expect: 'b' })).to.deep.equal([
      'tcpUdp.send',
      'tcpUdp.expect',
    ]);
    expect(at('tcp://a.example:6379', { script, preset: 'redis' })).to.deep.equal(['tcpUdp.script']);
    expect(at('udp://a.example:6379', { script })).to.deep.equal(['tcpUdp.script']);
    expect(at('udp://a.example:6379', { preset: 'redis' })).to.deep.equal(['tcpUdp.preset']);
  });

  it('sends mail servers four commands at most, however they are written', () => {
    for (const port of MAIL_PORTS) {
      const at = (tcpUdp: object) =>
        decideSettingsFaults(contradictable.parse({ url: `tcp://a.example:${port}`, tcpUdp })).map(({ path }) => path);
      const sends = (...texts: string[]) => at({ script: texts.map((send) => ({ send })) });
      expect(at({ preset: 'smtp' })).to.deep.equal([]);
      expect(at({ preset: 'redis' })).to.deep.equal(['tcpUdp.preset']);
      expect(sends('EHLO a.example\r\n', 'ehlo [192.0.2.1]\r\n', 'STARTTLS\r\n', 'NOOP\r\nQUIT\r\n')).to.deep.equal([]);
      expect(sends(`hex:${Buffer.from('QUIT\r\n').toString('hex')}`)).to.deep.equal([]);
      for (const text of [
        ...[
          'MAIL FROM:<a@a.example>\r\n',
          'EHLO a\r\nRCPT TO:<b@b.example>\r\n',
          'QUIT\nDATA\r\n',
          'QUIT',
          'HELO a\r\n',
        ],
        ...['EHLO a\nMAIL FROM:<>\r\n', 'NOOP DATA\r\n', '', ' QUIT\r\n', 'EHLO a b\r\n', 'AUTH PLAIN AA==\r\n'],
        `hex:${Buffer.from('DATA\r\n').toString('hex')}`,
      ])
        expect(sends('QUIT\r\n', text), text).to.deep.equal(['tcpUdp.script.1.send']);
    }
  });

  it('has STARTTLS for the certificate of a tcp:// URL alone', () => {
    const at = (url: string, startTls: string | null) =>
      decideSettingsFaults(contradictable.parse({ url, monitorTypes: ['SslCertificate'], ssl: { startTls } })).map(
        ({ path }) => path,
      );
    expect(at('tcp://a.example:587', 'smtp')).to.deep.equal([]);
    expect(at('https://a.example', null)).to.deep.equal([]);
    expect(at('tcp://a.example:587', null)).to.deep.equal(['ssl.startTls']);
    expect(at('https://a.example', 'smtp')).to.deep.equal(['ssl.startTls']);
  });
});
