import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { create, makeWorld } from '../../support/seed.js';
import { openEvents, type EventClient } from '../../integration/events/event-client.js';

const ACCOUNTS = 20;
const KEYS = 5;
const STREAMS_A_KEY = 10;

describe('accounts that hold every event stream of a process', () => {
  let app: TestApp;
  const clients: EventClient[] = [];

  before(async () => {
    app = await startTestApp();
  });
  after(async () => {
    for (const client of clients) client.cut();
    await app?.stop();
  });

  it('leave a place for an owner without a stream, which an attacker who connects again does not get back', async () => {
    const open = async (token: string) => {
      const client = await openEvents(app.baseUrl, { token });
      clients.push(client);
      return client;
    };
    const attackers: { key: string; held: EventClient[] }[] = [];
    for (let account = 0; account < ACCOUNTS; account++) {
      const { api } = await makeWorld(app, 'Starter');
      for (let index = 0; index < KEYS; index++) {
        const { key } = await create<{ key: string }>(api, '/api/v1/api-keys', {
          name: `Key ${index}`,
          scopes: ['monitor.read'],
        });
        const held = await Promise.all(Array.from({ length: STREAMS_A_KEY }, () => open(key)));
        attackers.push({ key, held });
      }
    }
    const held = attackers.flatMap((one) => one.held);
    expect(held.filter(({ status }) => status !== 200)).to.have.length(0);

    const victim = await makeWorld(app);
    const { key } = await create<{ key: string }>(victim.api, '/api/v1/api-keys', {
      name: 'Board',
      scopes: ['monitor.read'],
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) statuses.push((await open(key)).status);
    printFairnessFigure({
      attack: 30,
      measure: "of the victim's 10 event streams, refused",
      before: 0,
      during: statuses.filter((status) => status !== 200).length,
      limit: '0',
    });
    expect(statuses).to.deep.equal(Array<number>(10).fill(200));
    expect(held.filter(({ isOver }) => isOver)).to.have.length(10);

    // Each attacker who lost a stream has fewer than the largest, but not by two.
    const again = await Promise.all(
      attackers.filter((one) => one.held.some(({ isOver }) => isOver)).map((one) => open(one.key)),
    );
    expect(again.map(({ status }) => status)).to.deep.equal(again.map(() => 503));
    expect(clients.slice(held.length, held.length + 10).filter(({ isOver }) => isOver)).to.have.length(0);
  });
});
