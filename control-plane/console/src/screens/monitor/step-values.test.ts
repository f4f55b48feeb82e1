import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { expect } from 'chai';
import { moved } from '../../parts/field-path.js';
import { freeName, namesAt, newStep, withStepAlone, withStepsUpTo } from './step-values.js';

const BEGUN = {
  method: 'GET',
  headers: { Accept: 'text/html' },
  auth: null,
  body: null,
  expectedStatusCodes: ['200-399'],
  assertions: [],
  extract: {},
  variables: {},
  steps: [],
  keyword: 'Welcome',
  verifyCertificate: false,
} as unknown as MonitorValues['http'];
const TOKEN = { token: { from: 'json', expression: '$.token', secret: false } } as const;
const LOGIN = { ...newStep(BEGUN, 1), url: 'https://id.example/login', extract: TOKEN };
const ACCOUNT = { ...newStep(BEGUN, 2), url: 'https://shop.example/{{token}}', always: true };
const http = { ...BEGUN, variables: { user: 'ann' }, steps: [LOGIN, ACCOUNT] };
const values = { url: 'https://shop.example', http } as unknown as MonitorValues;

describe('The steps of a form', () => {
  it('can use variables, what earlier requests extract, and what every run has', () => {
    const named = { ...http, extract: { csrf: TOKEN.token } };
    expect(namesAt(named, 0)).to.deep.equal(['user', 'csrf', 'now', 'timestamp', 'uuid']);
    expect(namesAt(named, 1)).to.deep.equal(['user', 'csrf', 'token', 'now', 'timestamp', 'uuid']);
  });

  it('are tested up to one of them, whose answer is shown, or to the monitor’s own request', () => {
    expect(withStepsUpTo(values, 1).http.steps).to.deep.equal([LOGIN, { ...ACCOUNT, always: false }]);
    expect(withStepsUpTo(values, 0).http.steps).to.deep.equal([LOGIN, ACCOUNT]);
    expect(withStepsUpTo(values, -1).http.steps).to.deep.equal([]);
  });

  it('clean up after a test that ends before them, where they can', () => {
    const order = { ...newStep(BEGUN, 2), url: 'https://shop.example/orders', extract: { order: TOKEN.token } };
    const undo = { ...ACCOUNT, url: 'https://shop.example/orders/{{order}}/{{token}}' };
    const leave = { ...ACCOUNT, name: 'Leave', url: 'https://id.example/leave/{{token}}/{{uuid}}/{{user}}' };
    const all = { ...values, http: { ...http, steps: [LOGIN, order, undo, leave] } };
    expect(withStepsUpTo(all, 1).http.steps).to.deep.equal([LOGIN, order, undo, leave]);
    expect(withStepsUpTo(all, 0).http.steps).to.deep.equal([LOGIN, leave]);
    expect(withStepsUpTo(all, -1).http.steps).to.deep.equal([]);
  });

  it('are tested alone where they use nothing of other requests, as the monitor makes requests', () => {
    const alone = withStepAlone(values, LOGIN)!;
    expect(alone.url).to.equal(LOGIN.url);
    expect(alone.http).to.include({ keyword: null, verifyCertificate: false }).and.not.have.property('delay');
    expect(alone.http).to.deep.include({ steps: [], extract: {}, headers: {} });
    expect(withStepAlone(values, ACCOUNT)).to.equal(undefined);
  });

  it('change places, and what they extract has a name of its own', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).to.deep.equal(['a', 'c', 'b']);
    expect([freeName('token', {}), freeName('token', TOKEN), freeName('now', {})]).to.deep.equal([
      'token',
      'token2',
      'now2',
    ]);
  });
});
