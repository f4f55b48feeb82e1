import { expect } from 'chai';
import fc from 'fast-check';
import { decideDependencyFaults } from './decide-dependency-faults.js';
import type { DependencyRow } from './dependency-store.js';

function graph(edges: Readonly<Record<string, readonly string[]>>): DependencyRow[] {
  return Object.entries(edges).map(([id, dependsOn]) => ({
    id,
    name: id,
    isDeleted: false,
    dependsOn: [...dependsOn],
  }));
}

/** Whether one monitor depends on another, directly or through others. */
function depends(edges: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const open = [...(edges.get(from) ?? [])];
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (!seen.has(id)) open.push(...(edges.get(id) ?? []));
    seen.add(id);
  }
  return false;
}

describe('The faults of dependencies', () => {
  it('name every entry at fault at once, by its place', () => {
    const rows = [...graph({ db: ['host'], host: ['shop'], api: [] }), { ...graph({ old: [] })[0]!, isDeleted: true }];
    expect(decideDependencyFaults('shop', ['api', 'db', 'nobody', 'old', 'shop'], rows)).to.deep.equal([
      {
        path: 'dependsOn.1',
        message: 'closes a circle: "db", which depends on "host", which depends on this monitor',
      },
      { path: 'dependsOn.2', message: 'is not a monitor of this workspace' },
      { path: 'dependsOn.3', message: 'is not a monitor of this workspace' },
      { path: 'dependsOn.4', message: 'is the monitor itself' },
    ]);
  });

  it('a circle through a monitor that can be restored is one, and names it', () => {
    const rows = [...graph({ db: ['host'] }), { ...graph({ host: ['shop'] })[0]!, isDeleted: true }];
    expect(decideDependencyFaults('shop', ['db'], rows)[0]!.message).to.include('"host" (deleted, can be restored)');
  });

  it('whatever is accepted one after the other has no circle, and nothing else is refused', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const change = fc.record({
      id: fc.constantFrom(...ids),
      to: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const edges = new Map<string, readonly string[]>(ids.map((id) => [id, []]));
        for (const { id, to } of changes) {
          const faults = decideDependencyFaults(id, to, graph(Object.fromEntries(edges)));
          const wrong = to.flatMap((cause, index) =>
            cause === id || depends(edges, cause, id) ? [`dependsOn.${index}`] : [],
          );
          expect(faults.map(({ path }) => path)).to.deep.equal(wrong);
          if (faults.length === 0) edges.set(id, to);
        }
        for (const id of ids) expect(depends(edges, id, id), `${id} depends on itself`).to.equal(false);
      }),
    );
  });
});
