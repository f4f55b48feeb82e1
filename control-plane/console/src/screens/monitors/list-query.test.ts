import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { expect } from 'chai';
import { matches, readListQuery } from './list-query.js';

const GROUPS = [
  { id: 'g1', name: 'Checkout' },
  { id: 'g2', name: 'Web shop' },
];
const read = (text: string, groups: typeof GROUPS | undefined = GROUPS) =>
  readListQuery(new URLSearchParams(text), groups);

describe('The address of the list of monitors', () => {
  it('becomes the query of the API, the worst first', () => {
    const { query, fault } = read('tag=team:web&tag=env:prod&status=down&search=shop&page=2');
    expect(fault).to.equal(undefined);
    expect(query).to.include({ search: 'shop', healthStatus: 'unavailable', sort: 'health', page: 2, pageSize: 50 });
    expect(query['tag']).to.deep.equal(['team:web', 'env:prod']);
  });

  it('distinguishes paused monitors from those without a health status', () => {
    expect(read('status=paused').query).to.include({ monitoringStatus: 'paused', healthStatus: undefined });
    expect(read('status=unknown').query).to.include({ monitoringStatus: 'enabled', healthStatus: 'unknown' });
  });

  it('names the one state that a monitor is counted in, by the word for it', () => {
    expect(read('state=Down').conditions).to.include({ state: 'unavailable', healthStatus: undefined });
    expect(read('state=maintenance').query).to.include({ state: 'maintenance' });
    expect(read('state=disabled').fault).to.contain('There is no state "disabled"');
    expect(read('state=down&state=paused').fault).to.contain('exclude each other');
  });

  it('reads types by their words', () => {
    expect(read('type=HTTP').query['monitorType']).to.equal('HttpAvailability');
  });

  it('reads service groups by their names, once they are known', () => {
    expect(read('group=web+shop')).to.deep.include({ isWaiting: false, fault: undefined });
    expect(read('group=web+shop').conditions).to.include({ serviceGroupId: 'g2' });
    expect(read('group=Blog').fault).to.equal('There is no group "Blog". Known: Checkout, Web shop.');
    expect(read('group=Checkout&group=Web+shop').fault).to.contain('exclude each other');
    const before = readListQuery(new URLSearchParams('group=Checkout'), undefined);
    expect(before).to.deep.include({ isWaiting: true, fault: undefined });
  });

  it('names what the monitors are without: tags of a key, or a service group', () => {
    expect(read('without=Team').conditions).to.include({ without: 'team' });
    expect(read('without=servicegroup').conditions).to.include({ without: 'serviceGroup' });
    expect(read('without=team&without=env').fault).to.contain('one `without`');
  });

  it('with something unknown or contradictory lists nothing, and reports why', () => {
    expect(read('status=broken').fault).to.contain('There is no status "broken"');
    expect(read('status=available&status=unknown').fault).to.contain('exclude each other');
    expect(read('type=ftp').fault).to.contain('certificate');
  });

  it('is answered by a row as far as the row shows it', () => {
    const monitor = {
      name: 'Shop',
      url: 'https://api.example/',
      tags: ['env:prod', 'team:web'],
      healthStatus: null,
      monitoringStatus: 'enabled',
      maintenance: null,
      monitorTypes: ['HttpAvailability'],
      serviceGroupId: 'g1',
    } as unknown as MonitorView;
    const isIn = (text: string) => matches(monitor, read(text));
    for (const text of [
      '',
      'search=SHOP',
      'search=api.ex',
      'tag=env:prod&tag=team:web',
      'status=unknown',
      'state=unknown',
      'type=HTTP',
      'without=tea',
    ])
      expect(isIn(`${text}&group=Checkout`), text).to.equal(true);
    for (const text of [
      'search=shops',
      'tag=env',
      'status=available',
      'status=paused',
      'state=maintenance',
      'type=DNS',
      'without=team',
      'without=serviceGroup',
    ])
      expect(isIn(text), text).to.equal(false);
    const degraded = { ...monitor, healthStatus: 'degraded' } as MonitorView;
    expect(matches(degraded, read('state=degraded'))).to.equal(true);
    const covered = { ...degraded, maintenance: { until: '' } } as unknown as MonitorView;
    expect(['degraded', 'maintenance'].map((word) => matches(covered, read(`state=${word}`)))).to.eql([false, true]);
  });

  it('ignores a page or an order that cannot be', () => {
    expect(read('page=-3&sort=size').query).to.include({ page: undefined, sort: 'health' });
  });
});
