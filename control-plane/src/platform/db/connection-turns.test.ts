import { MovedTime } from '@watchpost/shared/moved-time';
import { expect } from 'chai';
import fc from 'fast-check';
import { ConnectionTurns, type GiveBack } from './connection-turns.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));
/** Who uses connections. */
const BACKGROUND = undefined;

/** Asks for a connection, and notes when it is there. */
function ask(turns: ConnectionTurns, tenant: string | undefined) {
  const asked = { tenant, giveBack: undefined as GiveBack | undefined, error: undefined as Error | undefined };
  void turns.take(tenant).then(
    (giveBack) => (asked.giveBack = giveBack),
    (error: Error) => (asked.error = error),
  );
  return asked;
}

/** Asks for many, and returns those that got one at once. */
async function askMany(turns: ConnectionTurns, tenant: string | undefined, count: number) {
  const all = Array.from({ length: count }, () => ask(turns, tenant));
  await settle();
  return { all, served: all.filter(({ giveBack }) => giveBack) };
}

describe('the turns at the connections', () => {
  it('reserve a quarter for requests, however much background work there is', async () => {
    const turns = new ConnectionTurns(20);
    expect((await askMany(turns, BACKGROUND, 100)).served).to.have.length(15);
    const tenants = await Promise.all([1, 2, 3, 4, 5].map((each) => askMany(turns, `tenant ${each}`, 1)));
    expect(tenants.map(({ served }) => served.length)).to.deep.equal([1, 1, 1, 1, 1]);
  });

  it('reserve a quarter for background work, however many tenants send requests', async () => {
    const turns = new ConnectionTurns(20);
    for (let tenant = 0; tenant < 100; tenant++) await askMany(turns, `tenant ${tenant}`, 2);
    expect(turns.used('requests')).to.equal(15);
    expect((await askMany(turns, BACKGROUND, 6)).served).to.have.length(5);
  });

  it('leave a connection to another tenant at once while one sends as many requests as it can', async () => {
    const turns = new ConnectionTurns(20);
    expect((await askMany(turns, 'busy', 150)).served).to.have.length(8);
    expect((await askMany(turns, 'other', 1)).served).to.have.length(1);
  });

  it('serve the waiting tenants one after another', async () => {
    const turns = new ConnectionTurns(4);
    const { served, all } = await askMany(turns, 'busy', 100);
    await askMany(turns, 'third', 1);
    const other = ask(turns, 'other');
    served[0]!.giveBack!();
    await settle();
    expect(all.filter(({ giveBack }) => giveBack)).to.have.length(served.length);
    expect(other.giveBack, 'who asked last, and waits for the first time').to.be.a('function');
  });

  it('give what becomes free to background work before they give it to requests', async () => {
    const turns = new ConnectionTurns(8);
    const work = await askMany(turns, BACKGROUND, 6);
    const requests = await askMany(turns, 'one', 1);
    await askMany(turns, 'two', 1);
    const [late, next] = [ask(turns, 'three'), ask(turns, BACKGROUND)];
    work.served[0]!.giveBack!();
    await settle();
    expect([late.giveBack !== undefined, next.giveBack !== undefined]).to.deep.equal([false, true]);
    requests.served[0]!.giveBack!();
    await settle();
    expect(late.giveBack).to.be.a('function');
  });

  it('refuse who waits too long, and do not serve it afterwards', async () => {
    const time = new MovedTime();
    const waits: [string, number][] = [];
    const turns = new ConnectionTurns(1, (user, seconds) => waits.push([user, seconds]), 20);
    const [held] = (await askMany(turns, BACKGROUND, 1)).served;
    const late = [ask(turns, BACKGROUND), ask(turns, 'one'), ask(turns, 'two')];
    await time.pass(20);
    time.reset();
    for (const { error } of late) expect(error?.message).to.match(/^No database connection became free within/);
    expect([turns.waiting('requests'), turns.waiting('background')]).to.deep.equal([0, 0]);
    held!.giveBack!();
    const next = ask(turns, 'three');
    await settle();
    expect(next.giveBack).to.be.a('function');
    expect(waits).to.have.deep.members([
      ['background', 0.02],
      ['requests', 0.02],
      ['requests', 0.02],
    ]);
  });

  it('refuse a tenant that has too many requests waiting, and no other', async () => {
    const turns = new ConnectionTurns(4);
    const { all } = await askMany(turns, 'busy', 300);
    const refused = all.filter(({ error }) => error);
    expect(refused.length).to.equal(300 - 2 - 200);
    expect(refused[0]!.error).to.include({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(ask(turns, 'other').error).to.equal(undefined);
  });

  it('hand out no connection twice and keep none back in any order of asking and giving back', async () => {
    const tenant = fc.constantFrom(BACKGROUND, BACKGROUND, 'a', 'b', 'c');
    const steps = fc.array(fc.oneof(fc.record({ ask: tenant }), fc.record({ giveBack: fc.nat() })), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 24 }), steps, async (connections, plan) => {
        const turns = new ConnectionTurns(connections);
        const reserved = Math.floor(connections / 4);
        let asked: ReturnType<typeof ask>[] = [];
        const holders = (of: (tenant: string | undefined) => boolean) =>
          asked.filter(({ tenant: whose, giveBack }) => giveBack && of(whose)).length;
        for (const step of plan) {
          const held = asked.filter(({ giveBack }) => giveBack);
          if ('ask' in step) asked.push(ask(turns, step.ask));
          else if (held.length > 0) {
            const one = held[step.giveBack % held.length]!;
            asked = asked.filter((each) => each !== one);
            one.giveBack!();
          }
          await settle();
          const background = holders((whose) => whose === BACKGROUND);
          const requests = holders((whose) => whose !== BACKGROUND);
          expect([turns.used('background'), turns.used('requests')]).to.deep.equal([background, requests]);
          expect(background).to.be.at.most(connections - reserved);
          expect(requests).to.be.at.most(connections - reserved);
          expect(background + requests).to.be.at.most(connections);
          const waits = asked.filter(({ giveBack }) => !giveBack).map(({ tenant: whose }) => whose);
          const isFull = background + requests === connections;
          if (waits.includes(BACKGROUND)) expect(isFull || background === connections - reserved).to.equal(true);
          // A tenant without any waits only where nothing is left for requests.
          const newcomers = waits.filter((whose) => whose !== BACKGROUND && holders((each) => each === whose) === 0);
          if (newcomers.length > 0) expect(isFull || requests === connections - reserved).to.equal(true);
        }
        // Whatever the order, everything that waits is served in the end.
        for (let held; (held = asked.filter(({ giveBack }) => giveBack)).length > 0;) {
          asked = asked.filter((each) => !held.includes(each));
          for (const { giveBack } of held) giveBack!();
          await settle();
        }
        expect(asked).to.deep.equal([]);
      }),
      { numRuns: 200 },
    );
  });
});
