import { expect } from 'chai';
import fc from 'fast-check';
import { MONITOR_TYPES, type MonitorType } from '@watchpost/shared/monitor-types';
import { isAlone } from '../settings/monitor-url.js';
import { decideTypeConflicts, type TypedMonitor } from './decide-type-conflicts.js';

const monitor = (id: string, ...monitorTypes: MonitorType[]): TypedMonitor => ({ id, name: id, monitorTypes });
const types = fc.uniqueArray(fc.constantFrom(...MONITOR_TYPES.filter((type) => !isAlone(type))), { minLength: 1 });
const monitors = fc
  .uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), monitorTypes: types }), {
    selector: ({ id }) => id,
  })
  .map((made) => made.map(({ id, monitorTypes }) => monitor(id, ...monitorTypes)));

describe('one monitor per type', () => {
  it('lets monitors of different types share a group', () => {
    expect(decideTypeConflicts([monitor('a', 'HttpAvailability')], [monitor('b', 'Latency', 'Dns')])).to.deep.equal([]);
  });

  it('names the type, who has it and who wants it', () => {
    const [conflict, ...others] = decideTypeConflicts(
      [monitor('a', 'HttpAvailability', 'Latency')],
      [monitor('b', 'Latency', 'Dns')],
    );
    expect(others).to.deep.equal([]);
    expect(conflict).to.deep.include({ type: 'Latency' });
    expect([conflict!.taken.id, conflict!.joining.id]).to.deep.equal(['a', 'b']);
  });

  it('holds between those that join together, and never against a monitor itself', () => {
    expect(decideTypeConflicts([], [monitor('a', 'Dns'), monitor('b', 'Dns')])).to.have.length(1);
    expect(decideTypeConflicts([monitor('a', 'Dns')], [monitor('a', 'Dns', 'Latency')])).to.deep.equal([]);
  });

  it('is free of conflicts exactly where every type is then watched once', () => {
    fc.assert(
      fc.property(monitors, monitors, (members, joining) => {
        const stays = members.filter(({ id }) => !joining.some((other) => other.id === id));
        fc.pre(decideTypeConflicts([], stays).length === 0);
        const all = [...stays, ...joining].flatMap(({ monitorTypes }) => monitorTypes);
        expect(decideTypeConflicts(members, joining).length === 0).to.equal(new Set(all).size === all.length);
      }),
    );
  });
});
