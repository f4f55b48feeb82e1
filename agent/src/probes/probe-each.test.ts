import { expect } from 'chai';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { httpCheck } from '@watchpost/shared/checks/http';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { DeadlineClock } from './deadline-clock.js';
import { probeEach } from './probe-each.js';
import type { Probe, ProbeContext } from './probe.js';

const target: HttpTarget = httpCheck.target.parse({ url: 'https://shop.example/', addresses: 'each' });
const report: ProbeReport = {
  outcome: { kind: 'up' },
  startedAtMs: 0,
  totalUs: 1,
  timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
  statusCode: 200,
  address: null,
  evidence: null,
};

describe('a check of each address', () => {
  it('checks at most five at once, each alone, and divides its timeout where they are more', async () => {
    for (const [count, most, longestMs] of [
      [1, 1, 10_000],
      [5, 5, 10_000],
      [8, 5, 5_000],
      [500, 5, 5_000],
    ] as const) {
      const addresses = Array.from({ length: count }, (_, index) => `10.0.${index % 250}.${Math.floor(index / 250)}`);
      const context = {
        requests: new WeakMap(),
        clock: new DeadlineClock(),
        resolve: () => Promise.resolve({ addresses, us: 0, queuedUs: 0 }),
      } as unknown as ProbeContext;
      let open = 0;
      let mostOpen = 0;
      const seen: string[] = [];
      const timeouts: number[] = [];
      const probe: Probe<HttpTarget> = async (spec, _target, own) => {
        mostOpen = Math.max(mostOpen, ++open);
        timeouts.push(spec.timeoutMs);
        const resolved = await own.resolve('shop.example', undefined as never);
        if ('addresses' in resolved) seen.push(...resolved.addresses);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return report;
      };
      const { addresses: found } = await probeEach(
        probe,
        { timeoutMs: 10_000 },
        target,
        context,
        new AbortController().signal,
      );
      expect(mostOpen).to.equal(most);
      expect(found).to.have.length(Math.min(count, 10));
      expect(seen).to.have.members(found!.map(({ address }) => address));
      expect(Math.max(...timeouts)).to.be.at.most(longestMs);
    }
  });
});
