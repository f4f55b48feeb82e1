import { expect } from 'chai';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import pino from 'pino';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import type { ApiResponse } from '../../support/product.js';
import { appForSuite } from '../../support/suite.js';

const MAIL = 'EHLO spam.example\r\nMAIL FROM:<a@spam.example>\r\n';
const SPELLINGS = ['25', '465', '587', '0025', '00465', '000000587', '25/'];

describe('attack 9: a TCP monitor that sends mail', () => {
  const app = appForSuite();

  const create = (json: object) => app.api('POST', '/api/v1/monitor', { monitorTypes: ['TcpUdp'], ...json });
  const put = (id: string, json: object) => app.api('PUT', `/api/v1/monitor/${id}`, json);
  const isRefused = ({ status, body }: ApiResponse) =>
    status === 400 &&
    body.details.some(
      ({ path, message }: { path: string; message: string }) =>
        path === 'tcpUdp.send' && /must be null for port (25|465|587)/.test(message),
    );

  it('is refused for ports 25, 465 and 587, at creation and at a later change', async () => {
    let [tried, accepted] = [0, 0];
    const expectRefused = (answer: ApiResponse) => {
      tried++;
      if (!isRefused(answer)) accepted++;
    };
    for (const scheme of ['tcp', 'udp', 'TCP']) {
      for (const port of SPELLINGS)
        expectRefused(await create({ url: `${scheme}://mx.example:${port}`, tcpUdp: { send: MAIL } }));
    }
    const silent = await create({ url: 'tcp://mx.example:25', tcpUdp: { expect: '220' } });
    expect(silent.status).to.equal(201);
    expectRefused(await put(silent.body.id, { tcpUdp: { send: 'hex:51' } }));
    const elsewhere = await create({ url: 'tcp://mx.example:2525', tcpUdp: { send: MAIL } });
    expect(elsewhere.status).to.equal(201);
    for (const port of SPELLINGS) expectRefused(await put(elsewhere.body.id, { url: `tcp://mx.example:${port}` }));
    expectRefused(await put(silent.body.id, { url: 'udp://mx.example:0465', tcpUdp: { send: MAIL } }));
    const cleared = await put(elsewhere.body.id, { url: 'tcp://mx.example:587', tcpUdp: { send: null } });
    expect(cleared.status).to.equal(200);
    printFairnessFigure({
      attack: 9,
      measure: `of ${tried} ways to send to a port of mail, accepted`,
      before: 0,
      during: accepted,
      limit: '0',
    });
    expect(accepted).to.equal(0);
  });

  it('is not run if it was stored before the ports were refused', async () => {
    const stored = await create({ url: 'tcp://old.example:2525', tcpUdp: { send: MAIL } });
    const isRun = async () => {
      const deps = { secretBox: app.secretBox, logger: pino({ level: 'silent' }) };
      const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [stored.body.id]);
      const { places } = await app.db.read((tx) => monitorCheckSource(deps).of(tx, key));
      const targets = places.flatMap(({ checks }) => checks.map(({ target }) => target));
      return targets.some((target) => target.kind === 'tcpUdp' && target.host === 'old.example');
    };
    expect(await isRun()).to.equal(true);
    await app.sql(`UPDATE monitor SET url = 'tcp://old.example:25' WHERE id = $1`, [stored.body.id]);
    expect(await isRun()).to.equal(false);
  });
});
