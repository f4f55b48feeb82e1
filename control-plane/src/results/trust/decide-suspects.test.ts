import { expect } from 'chai';
import fc from 'fast-check';
import { decideCalm, decideSuspicion, FEWEST_SITES, SUSPICION_WINDOW_MS, type SiteSight } from './decide-suspects.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;

function sight(index: number, fields: Partial<SiteSight>): SiteSight {
  return {
    site: `site-${index}.test`,
    failingSinceMs: null,
    upMs: null,
    notUpMs: fields.failingSinceMs ?? null,
    workspaces: [`w${index}`],
    elsewhere: null,
    ...fields,
  };
}
const many = (count: number, fields: (index: number) => Partial<SiteSight>, from = 0) =>
  Array.from({ length: count }, (_, index) => sight(from + index, fields(index)));
const failing = (count: number, fields: Partial<SiteSight> = {}) =>
  many(count, (index) => ({ failingSinceMs: NOW - 30 * SECOND + index * SECOND, upMs: NOW - 120 * SECOND, ...fields }));
const healthy = (count: number, agoMs = 5 * SECOND) =>
  many(count, () => ({ upMs: NOW - agoMs, workspaces: [] }), 1_000);

const anySight = fc.record({
  failingSinceMs: fc.option(fc.integer({ min: NOW - 2 * SUSPICION_WINDOW_MS, max: NOW })),
  upMs: fc.option(fc.integer({ min: NOW - 2 * SUSPICION_WINDOW_MS, max: NOW })),
  workspaces: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
  elsewhere: fc.constantFrom('up' as const, 'down' as const, 'pending' as const, null),
});
const anySights = fc.array(anySight, { maxLength: 40 }).map((all) => all.map((fields, index) => sight(index, fields)));

describe('A region is suspect', () => {
  it('when unrelated sites fail there together and are up elsewhere', () => {
    const suspicion = decideSuspicion([...failing(6, { elsewhere: 'up' }), ...healthy(10, 60 * SECOND)], NOW);
    expect(suspicion).to.deep.equal({
      onsetMs: NOW - 30 * SECOND,
      failingSites: 6,
      checkedSites: 6,
      workspaces: 6,
      upElsewhere: 6,
      downElsewhere: 0,
      pendingElsewhere: 0,
    });
  });

  it('when nobody else looks, and all that is checked fails at once, of too many owners to be true', () => {
    expect(decideSuspicion(failing(8), NOW)).to.include({ failingSites: 8, workspaces: 8 });
  });

  it('by what was checked since, not by what was fine before', () => {
    expect(decideSuspicion([...failing(20), ...healthy(60, 40 * SECOND)], NOW)).to.include({
      onsetMs: NOW - 30 * SECOND,
    });
  });
});

describe('A region is believed', () => {
  it('when the same sites are down elsewhere: that is an outage', () => {
    expect(decideSuspicion(failing(30, { elsewhere: 'down' }), NOW)).to.equal(null);
  });

  it('when others are to look at the same sites, and did not yet: the next seconds will tell', () => {
    expect(decideSuspicion(failing(30, { elsewhere: 'pending' }), NOW)).to.equal(null);
  });

  it('when what fails belongs to one owner, and nobody else looks', () => {
    expect(decideSuspicion(failing(30, { workspaces: ['w'] }), NOW)).to.equal(null);
  });

  it('when most of what it checks meanwhile is fine', () => {
    expect(decideSuspicion([...failing(8), ...healthy(8)], NOW)).to.equal(null);
    expect(decideSuspicion([...failing(8, { elsewhere: 'up' }), ...healthy(9)], NOW)).to.equal(null);
  });

  it('when a few monitors that were made together fail, in a region of many', () => {
    const made = failing(6, { failingSinceMs: NOW - SECOND, elsewhere: 'up', upMs: null });
    expect(decideSuspicion([...made, ...healthy(100)], NOW)).to.equal(null);
  });

  it('with fewer failing sites than that, whatever they say', () => {
    fc.assert(
      fc.property(anySights, (sights) => {
        fc.pre(sights.filter(({ failingSinceMs }) => failingSinceMs !== null).length < FEWEST_SITES);
        expect(decideSuspicion(sights, NOW)).to.equal(null);
      }),
    );
  });

  it('never less for a site that is up: more successes make nobody suspect', () => {
    fc.assert(
      fc.property(anySights, (sights) => {
        fc.pre(decideSuspicion(sights, NOW) === null);
        const more = [...sights, ...many(5, () => ({ upMs: NOW, workspaces: [] }), 500)];
        expect(decideSuspicion(more, NOW)).to.equal(null);
      }),
    );
  });

  it('never where every failing site is down elsewhere too', () => {
    fc.assert(
      fc.property(anySights, (sights) => {
        expect(
          decideSuspicion(
            sights.map((one) => ({ ...one, elsewhere: 'down' })),
            NOW,
          ),
        ).to.equal(null);
      }),
    );
  });

  it('whatever the order in which its sites are told', () => {
    fc.assert(
      fc.property(anySights, fc.infiniteStream(fc.nat()), (sights, order) => {
        const shuffled = sights
          .map((one) => ({ one, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(decideSuspicion(shuffled, NOW)?.onsetMs).to.equal(decideSuspicion(sights, NOW)?.onsetMs);
      }),
    );
  });
});

describe('A suspicion is over', () => {
  const onset = NOW - 10 * 60 * SECOND;
  const upAgain = (count: number) => many(count, () => ({ upMs: NOW - SECOND }));
  const stillNot = (count: number) => many(count, () => ({ notUpMs: NOW - SECOND, upMs: onset - SECOND }), 100);

  it('when most of what is checked is up again, and not before', () => {
    expect(decideCalm([...upAgain(7), ...stillNot(3)], onset, NOW)).to.equal(true);
    expect(decideCalm([...upAgain(6), ...stillNot(4)], onset, NOW)).to.equal(false);
  });

  it('never by silence', () => {
    expect(decideCalm([], onset, NOW)).to.equal(false);
    expect(
      decideCalm(
        many(9, () => ({ upMs: onset - SECOND })),
        onset,
        NOW,
      ),
    ).to.equal(false);
  });
});
