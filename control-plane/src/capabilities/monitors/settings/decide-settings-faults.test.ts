import { expect } from 'chai';
import fc from 'fast-check';
import { decideSettingsFaults } from './decide-settings-faults.js';

const MAIL_PORTS = [25, 465, 587];

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
