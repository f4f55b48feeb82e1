import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { OwnFailures } from './own-failures.js';
import { parseReference, reachReference } from './reference.js';
import type { Visibility } from '@watchpost/shared/wire/messages';
import { ReferenceWatch } from './reference-watch.js';

describe('a reference target', () => {
  it('is a host with a port or the server of a URL', () => {
    expect(parseReference('1.1.1.1:443')).to.deep.equal({ host: '1.1.1.1', port: 443 });
    expect(parseReference('[2606:4700::1111]:53')).to.deep.equal({ host: '2606:4700::1111', port: 53 });
    expect(parseReference('https://example.com/any?thing')).to.deep.equal({ host: 'example.com', port: 443 });
    expect(parseReference('http://example.com:8080')).to.deep.equal({ host: 'example.com', port: 8080 });
    for (const text of ['example.com', 'example.com:0', 'ftp://example.com', 'https://me:secret@example.com', 'a b:1'])
      expect(parseReference(text), text).to.equal(undefined);
  });
});

describe('an agent with reference targets', () => {
  const changes: Visibility[] = [];
  let nowMs = 0;
  const watch = (answers: readonly boolean[], seen: number[] = []) =>
    new ReferenceWatch({
      references: answers.map((_, port) => ({ host: 'reference.test', port })),
      reach: async ({ port }) => {
        seen.push(port);
        return answers[port]!;
      },
      now: () => nowMs,
      onChange: (visibility) => changes.push(visibility),
    });

  it('is seeing as long as one of them answers, and blind when none does', async () => {
    expect(await watch([false, true, false]).look(0)).to.equal('seeing');
    expect(await watch([false, false]).look(0)).to.equal('blind');
    expect(changes).to.deep.equal(['blind']);
  });

  it('has unknown visibility without any', async () => {
    expect(await watch([]).look(0)).to.equal('unknown');
  });

  it('looks once for simultaneous failures, and never before the start of a failed check', async () => {
    const seen: number[] = [];
    const one = watch([true], seen);
    await one.look(one.mark());
    nowMs += 1;
    const began = one.mark();
    const looks = [one.look(began), one.look(began), one.look(began)];
    expect(seen, 'the second look is delayed').to.have.length(1);
    nowMs += 300;
    await Promise.all(looks);
    expect(seen).to.have.length(2);
    await one.look(began);
    expect(seen, 'a look during a long check is used for it').to.have.length(2);
  });

  it('distinguishes a port that answers from one that does not', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const reference = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    expect(await reachReference(reference, 2_000)).to.equal(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await reachReference(reference, 2_000)).to.equal(false);
  });
});

describe('an agent without reference targets', () => {
  it('suspects itself only when it is disconnected from the control plane and several targets fail', () => {
    const own = new OwnFailures();
    for (const target of ['a.test', 'b.test', 'c.test']) own.noteDown(target);
    expect(own.isLikely, 'connected').to.equal(false);
    own.setConnected(false);
    own.noteDown('a.test');
    own.noteDown('a.test');
    expect(own.isLikely, 'one target').to.equal(false);
    own.noteDown('b.test');
    expect(own.isLikely).to.equal(true);
    own.noteUp();
    expect(own.isLikely, 'something is up').to.equal(false);
  });
});
