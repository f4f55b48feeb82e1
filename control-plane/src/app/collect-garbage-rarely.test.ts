import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** Makes objects that all stay, then such that are soon gone, at the same place of the code, and counts the collections then. */
const LONG_LIVED_THEN_SHORT = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  }).observe({ entryTypes: ['gc'] });
  const make = (index) => ({ index, text: [index], next: { index } });
  const turn = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const kept = [];
  for (let count = 0; count < 40; count++, await turn(1)) for (let index = 0; index < 20_000; index++) kept.push(make(index));
  // A collection that began while these were made is not counted, however long it takes.
  const earlier = collections;
  globalThis.gc();
  while (collections === earlier) await turn(10);
  await turn(50);
  const before = collections;
  const recent = new Array(1_000);
  for (let count = 0; count < 200; count++, await turn(1))
    for (let index = 0; index < 50_000; index++) recent[index % recent.length] = make(index);
  await turn(50);
  console.log(collections - before, kept.length);
`;

describe('What results leave behind', () => {
  it('is no reason to collect the whole heap, though others of their kind lived long', function () {
    // Each of the two programs takes two seconds of a processor that may be shared with many.
    this.timeout(240_000);
    const collections = (first: string) =>
      Number.parseInt(
        execFileSync(
          process.execPath,
          // With one thread, when V8 learns where objects live long does not depend on how busy the machine is.
          ['--single-threaded', '--expose-gc', '--input-type=module', '--eval', first + LONG_LIVED_THEN_SHORT],
          {
            encoding: 'utf8',
            timeout: 120_000,
          },
        ),
        10,
      );
    expect(collections(''), 'as V8 does it by itself').to.be.greaterThan(0);
    const url = new URL('./collect-garbage-rarely.js', import.meta.url).href;
    expect(collections(`import { collectGarbageRarely } from '${url}'; collectGarbageRarely();`)).to.equal(0);
  });
});
