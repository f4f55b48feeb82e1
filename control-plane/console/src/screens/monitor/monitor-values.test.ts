import type { MonitorForm, MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { expect } from 'chai';
import { bodyOfNew, changesOf, chosenTypes, itemsIn, newHeartbeat, valuesOfCopy } from './monitor-values.js';

const reporting = { dailyReport: false, weeklyReport: false, monthlyReport: false };
const served = {
  initial: {
    name: '',
    url: '',
    monitorTypes: ['HttpAvailability'],
    checkInterval: 'PT5M',
    checkTimeout: null,
    serviceGroupId: null,
    teamId: null,
    tags: [],
    reporting,
    http: { method: 'GET', headers: {} },
    heartbeat: null,
    dependsOn: [],
  },
  newHeartbeat: { every: null, cron: null, timezone: null, grace: 'PT5M', maxRuntime: null },
  fields: [],
} as unknown as MonitorForm;
const NEW_VALUES = served.initial;
const NEW_HEARTBEAT = newHeartbeat(served);

describe('The values of the form of a monitor', () => {
  it('create a monitor without what is empty and without settings of other types', () => {
    const body = bodyOfNew({ ...NEW_VALUES, url: 'https://shop.example' });
    expect(body).to.include({ url: 'https://shop.example', checkInterval: 'PT5M' });
    expect(body).to.have.property('http');
    expect(body).not.to.have.any.keys('name', 'checkTimeout', 'ssl', 'latency', 'dns', 'tcpUdp');
  });

  it('create a heartbeat without what only checks have', () => {
    expect(bodyOfNew({ ...NEW_HEARTBEAT, name: 'Backup' })).to.have.all.keys(
      'name',
      'monitorTypes',
      'heartbeat',
      'serviceGroupId',
      'teamId',
      'tags',
      'reporting',
      'dependsOn',
    );
    expect(bodyOfNew({ ...NEW_VALUES, url: 'https://shop.example' })).not.to.have.property('heartbeat');
  });

  it('change only what differs, within the settings of a type too', () => {
    const http = { ...NEW_VALUES.http, headers: { Accept: 'text/html', Authorization: '***' } };
    const base = { ...NEW_VALUES, name: 'Shop', http };
    expect(changesOf(base, { ...base, name: 'Store', http: { ...http, method: 'HEAD' } })).to.deep.equal({
      name: 'Store',
      http: { method: 'HEAD' },
    });
    const headers = { Accept: '*/*', Authorization: '***' };
    expect(changesOf(base, { ...base, http: { ...http, headers } })).to.deep.equal({ http: { headers } });
    expect(changesOf(base, structuredClone(base))).to.equal(undefined);
  });

  it('of a copy have no masked secrets', () => {
    const http = { ...NEW_VALUES.http, headers: { Accept: 'text/html', Authorization: '***' } };
    const monitor = { ...NEW_VALUES, name: 'Shop', checkTimeout: 'PT30S', http } as unknown as MonitorView;
    const { values, missing } = valuesOfCopy(monitor, served);
    expect(values).to.include({ name: 'Shop (copy)', checkTimeout: null });
    expect(values.http.headers).to.deep.equal({ Accept: 'text/html' });
    expect(missing).to.deep.equal(['Authorization']);
  });

  it('are listed in a text as words, or one a line where a value may have blanks', () => {
    expect(itemsIn('200-299, 404  500', false)).to.deep.equal(['200-299', '404', '500']);
    expect(itemsIn('v=spf1 a, mx -all\r\n\n 10 mail.example.com ', true)).to.deep.equal([
      'v=spf1 a, mx -all',
      ' 10 mail.example.com ',
    ]);
  });
});

describe('The types that are chosen', () => {
  it('are one alone, or several that can be combined', () => {
    expect(
      chosenTypes(['SslCertificate', 'HttpAvailability', 'Domain'], ['HttpAvailability', 'SslCertificate']),
    ).to.deep.equal(['Domain']);
    expect(chosenTypes(['Domain', 'Dns'], ['Domain'])).to.deep.equal(['Dns']);
    expect(chosenTypes(['Dns', 'HttpAvailability'], ['Dns'])).to.deep.equal(['HttpAvailability', 'Dns']);
    expect(chosenTypes(['Dns'], ['HttpAvailability', 'Dns'])).to.deep.equal(['Dns']);
  });
});
