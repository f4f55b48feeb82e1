import { expect } from 'chai';
import { loadInPage } from './load-in-page.js';

const load = () => loadInPage(() => import('./resources.js'));
const [ownFetch, ownNow] = [globalThis.fetch, Date.now];

interface Asked {
  path: string;
  signal: AbortSignal;
  answer: (status: number, body: unknown, total?: number) => Promise<void>;
}

describe('What is read and shown', () => {
  let resources: Awaited<ReturnType<typeof load>>;
  let asked: Asked[] = [];
  let aheadMs = 0;
  let leave: (() => void) | undefined;

  before(async () => {
    resources = await load();
    Date.now = () => ownNow() + aheadMs;
    globalThis.fetch = (path, init) =>
      new Promise<Response>((resolve, reject) => {
        const signal = init!.signal!;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        const answer = (status: number, body: unknown, total?: number) => {
          const headers = new Headers({ 'Content-Type': 'application/json' });
          if (total !== undefined) headers.set('X-Total-Count', `${total}`);
          resolve(new Response(JSON.stringify(body), { status, headers }));
          return settled();
        };
        asked.push({ path: path as string, signal, answer });
      });
  });
  after(() => {
    globalThis.fetch = ownFetch;
    Date.now = ownNow;
  });
  beforeEach(() => {
    asked = [];
    aheadMs = 0;
  });
  afterEach(() => leave?.());

  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const show = (path: string) => {
    const entry = resources.entryOf(path);
    leave = resources.watch(entry);
    return entry;
  };

  it('is asked for again where something was changed while the request was on its way', async () => {
    const entry = show('/api/v1/a');
    resources.refreshAll();
    expect([asked.length, asked[0]!.signal.aborted]).to.deep.equal([2, true]);
    await asked[1]!.answer(200, 'as it is now');
    expect(entry.answer.value?.body).to.equal('as it is now');
    expect(asked.length).to.equal(2);
  });

  it('is read once more where it became stale while the request was on its way', async () => {
    const entry = show('/api/v1/b');
    aheadMs = 20_000;
    resources.refreshAll(15_000);
    expect(asked.length, 'a slow request is not started over and over').to.equal(1);
    await asked[0]!.answer(200, 'as it was');
    expect(asked.length).to.equal(2);
    await asked[1]!.answer(200, 'as it is now');
    expect([asked.length, entry.answer.value?.body]).to.deep.equal([2, 'as it is now']);
  });

  it('is not asked for again by time where it is refused, only after a change', async () => {
    show('/api/v1/c');
    await asked[0]!.answer(404, { error: 'not_found', message: 'There is none.' });
    aheadMs = 120_000;
    resources.refreshAll(60_000);
    expect(asked.length).to.equal(1);
    resources.refreshAll();
    expect(asked.length).to.equal(2);
  });

  it('is read to its end where a whole list is asked for, and a page only as such', async () => {
    const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
    const whole = show('/api/v1/service-group?pageSize=1000');
    await asked[0]!.answer(200, rows(0, 200), 350);
    expect(whole.answer.value, 'not before all of it is there').to.equal(undefined);
    expect(asked[1]!.path).to.equal('/api/v1/service-group?pageSize=1000&page=2');
    await asked[1]!.answer(200, rows(200, 150), 350);
    expect(whole.answer.value).to.deep.include({ body: rows(0, 350), total: 350 });
    leave!();
    const page = show('/api/v1/d?page=2&pageSize=50');
    await asked[2]!.answer(200, rows(50, 20), 70);
    expect([asked.length, page.answer.value?.body]).to.deep.equal([3, rows(50, 20)]);
  });

  it('is what an action needs only once all of it is there, and of the address that is asked for', () => {
    const view = { data: [], isPrevious: false } as unknown as Parameters<typeof resources.areRead>[0][number];
    const { areRead } = resources;
    expect([areRead([]), areRead([view])]).to.deep.equal([true, true]);
    expect(areRead([view, { ...view, data: undefined }])).to.equal(false);
    expect(areRead([view, { ...view, isPrevious: true }])).to.equal(false);
  });

  it('is read again where it was read before a clock that is ahead was corrected', async () => {
    aheadMs = 3_600_000;
    show('/api/v1/monitor');
    await asked[0]!.answer(200, []);
    aheadMs = 0;
    resources.refreshAll(60_000);
    expect(asked.length).to.equal(2);
    await asked[1]!.answer(200, []);

    aheadMs = 3_600_000;
    resources.refreshAll();
    await asked[2]!.answer(200, []);
    aheadMs = 0;
    const waits: number[] = [];
    const ownTimeout = globalThis.setTimeout;
    globalThis.setTimeout = ((_run: () => void, ms: number) => waits.push(ms)) as unknown as typeof setTimeout;
    resources.applyEvent({ kind: 'monitor', id: 'm' });
    globalThis.setTimeout = ownTimeout;
    expect(waits).to.deep.equal([250]);
  });
});
