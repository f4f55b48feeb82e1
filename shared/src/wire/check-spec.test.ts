import { expect } from 'chai';
import { CHECK_KINDS, checkCode, codeOfKind, type ProbeTarget } from '../check.js';
import { sslCheck } from '../checks/ssl.js';
import { specFromWire, specToWire } from './check-spec.js';

const ssl = sslCheck.target.parse({ host: 'shop.test', port: 443, incidentDays: 7 });
const wireOf = (of: ProbeTarget) =>
  specToWire({
    key: { monitorKey: 7, kind: of.kind },
    intervalMs: 60_000,
    timeoutMs: 10_000,
    phaseMs: 1_234,
    changedAtMs: 1_763_000_000_000,
    target: of,
  });

describe('a check', () => {
  it('is sent with the code of its kind, without the fields of its target that have their default', () => {
    const { key, target } = wireOf({ ...ssl, incidentDays: null });
    expect([key, target]).to.deep.equal([{ monitorKey: 7n, kind: 2 }, '{"host":"shop.test","port":443}']);
    const codes = CHECK_KINDS.map((kind) => codeOfKind(kind));
    // Results that are stored have these: a code never changes, and a new kind has a code of its own.
    expect(codes.slice(0, 5)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(new Set(codes).size).to.equal(codes.length);
  });

  it('that is not complete is left out', () => {
    const wire = wireOf(ssl);
    for (const incomplete of [
      { ...wire, key: undefined },
      { ...wire, intervalMs: 0 },
      { ...wire, timeoutMs: 0 },
    ])
      expect(specFromWire(incomplete)).to.equal(undefined);
  });

  it('that only a newer version can run is kept as unsupported, and encoded again as it was received', () => {
    const wire = wireOf(ssl);
    const others = [
      { ...wire, key: { monitorKey: 7n, kind: 29 } },
      { ...wire, target: '' },
      { ...wire, target: 'not JSON' },
      { ...wire, target: '{"hostname":"shop.test"}' },
      { ...wire, target: '{"host":"shop.test","port":65536}' },
      { ...wire, target: '{"host":"shop.test","port":443,"startTls":"smtp"}' },
      { ...wire, target: '{"host":"shop.test","port":443,"egress":"anywhere"}' },
    ];
    for (const other of others) {
      const decoded = specFromWire(other)!;
      expect(decoded.target).to.deep.equal({ kind: 'unsupported', json: other.target });
      expect(specToWire(decoded)).to.deep.equal(other);
    }
    const codes = others.map((other) => checkCode(specFromWire(other)!.key));
    expect(new Set(codes).size).to.equal(2);
  });
});
