import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { monitorInputSchemas } from './monitor-input-schemas.js';

const { create, update } = monitorInputSchemas({ egress: createEgressPolicy({ allowCidrs: [] }) });
const url = 'https://shop.example/';

function faultsOf(http: object, schema: typeof update = create, rest: object = {}): Record<string, string> {
  const { error } = schema.safeParse({ url, ...rest, http });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}
const step = (fields: object) => ({ name: 'Read', url: `${url}api`, ...fields });

describe('steps of HTTP checks as input', () => {
  it('need a name and a URL, have the defaults of a request, and keep one spelling of what they name', () => {
    const { http } = create.parse({ url, http: { steps: [{ name: ' Read ', url: ` ${url} `, delay: 'PT1.0S' }] } });
    expect(http!.steps).to.deep.equal([
      {
        name: 'Read',
        url,
        method: 'GET',
        headers: {},
        auth: null,
        body: null,
        expectedStatusCodes: ['200-399'],
        assertions: [],
        extract: {},
        always: false,
        delay: 'PT1S',
      },
    ]);
  });

  it('use variables, built-in names and what earlier requests extract, in URL, headers, body and targets', () => {
    const uses = (name: string) => ({
      url: `${url}{{${name}}}?at={{ ${name} }}`,
      method: 'POST',
      headers: { Authorization: `Bearer {{${name}}}` },
      body: `{"id":"{{${name}}}","at":{{now}}}`,
      assertions: [{ source: 'body', comparison: 'matches', target: `^{{${name}}}$` }],
    });
    const extract = { token: { from: 'json', expression: '$.token', secret: true } };
    const http = {
      variables: { shop: 'eu', key: { secret: 'hunter22' } },
      extract,
      steps: [
        step({ name: 'a', ...uses('token'), extract: { order: { from: 'header', expression: 'X-Order' } } }),
        step({ name: 'b', ...uses('order'), body: '{{shop}} {{key}} {{uuid}} {{timestamp}} {{#if}} {{ a.b }}' }),
      ],
    };
    expect(faultsOf(http)).to.deep.equal({});
  });

  it('are refused with every fault at once, by path and column', () => {
    const http = {
      variables: { now: 'x', '1x': 'y', ok: 'v', secret: { secret: '' } },
      extract: {
        ok: { from: 'status' },
        query: { from: 'json', expression: '$[' },
        pattern: { from: 'regex', expression: 'a(' },
        cookie: { from: 'cookie', expression: 'a b' },
        status: { from: 'status', expression: 'x' },
        empty: { from: 'header' },
      },
      steps: [
        step({
          url: `${url}{{late}}`,
          body: 'x',
          extract: { late: { from: 'status' }, timestamp: { from: 'status' } },
        }),
        step({ name: 'READ', url: 'https://{{ok}}.example/', headers: { 'X-A': '12{{ nope }}' } }),
        step({ name: 'c', url: 'https:///{{ok}}/', method: 'HEAD', extract: { x: { from: 'json', expression: '$' } } }),
        step({ name: 'd', url: 'http://10.0.0.1/', auth: { type: 'clientCertificate' }, delay: 'PT11S' }),
        step({ name: 'e', url: 'tcp://shop.example:22', assertions: [{ source: 'body', comparison: 'exists' }] }),
      ],
    };
    const faults = faultsOf(http);
    expect(Object.keys(faults)).to.include.members([
      'http.variables.now',
      'http.variables.1x',
      'http.variables.secret.secret',
      'http.extract.ok',
      'http.extract.query.expression',
      'http.extract.pattern.expression',
      'http.extract.cookie.expression',
      'http.extract.status.expression',
      'http.extract.empty.expression',
      'http.steps.0.url',
      'http.steps.0.body',
      'http.steps.0.extract.timestamp',
      'http.steps.1.name',
      'http.steps.1.url',
      'http.steps.1.headers.X-A',
      'http.steps.2.url',
      'http.steps.2.extract.x.from',
      'http.steps.3.url',
      'http.steps.3.delay',
      'http.steps.4.url',
      'http.steps.4.assertions.0.comparison',
    ]);
    expect(faults['http.steps.0.url']).to.equal(
      'uses {{late}} at column 22, which is no variable, and which no earlier request extracts',
    );
    expect(faults['http.steps.1.headers.X-A']).to.contain('{{nope}} at column 3');
    expect(faults['http.steps.1.url']).to.contain('column 9').and.contain('the host is fixed');
    expect(faults['http.extract.query.expression']).to.contain('column');
    expect(faults['http.extract.cookie.expression']).to.contain('is no name of a cookie, at column 2');
  });

  it('report wrong names of maps beside wrong values, and too many of them', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`v${at}`, at === 0 ? 1 : '']));
    expect(
      Object.keys(faultsOf({ variables: { '1x': 'y', ok: 1 }, extract: { 'a-b': { from: 'status' }, c: 7 } })),
    ).to.have.members(['http.variables.1x', 'http.variables.ok', 'http.extract.a-b', 'http.extract.c']);
    expect(Object.keys(faultsOf({ variables: many }))).to.have.members(['http.variables', 'http.variables.v0']);
    expect(Object.keys(faultsOf({ headers: { 'X-Sent': 1, 'X A': 'x', Host: 2 } }))).to.have.members([
      'http.headers.X-Sent',
      'http.headers.X A',
      'http.headers.Host',
    ]);
    for (const map of ['text', 7, null, ['x']])
      expect(faultsOf({ headers: map, variables: map })).to.have.all.keys('http.headers', 'http.variables');
  });

  it('report a wrong query, pattern or expression beside other wrong fields', () => {
    const assertions = [
      { source: 'json', property: '$[', comparison: 'is', target: 1 },
      { source: 'body', comparison: 'matches', target: '(', severity: 'x' },
      { source: 'header', property: 7, comparison: 'lessThan', target: {} },
      { source: 'nothing', property: '$[' },
    ];
    expect(
      faultsOf({ assertions, extract: { a: { from: 'regex', expression: '(', secret: 'x' }, b: 1 } }),
    ).to.have.all.keys(
      [
        '0.property',
        '0.comparison',
        '1.target',
        '1.severity',
        '2.property',
        '2.comparison',
        '2.target',
        '3.source',
        '3.comparison',
      ]
        .map((path) => `http.assertions.${path}`)
        .concat('http.extract.a.expression', 'http.extract.a.secret', 'http.extract.b'),
    );
    expect(faultsOf({ assertions: ['x', null] })).to.have.all.keys('http.assertions.0', 'http.assertions.1');
  });

  it('take no variable for a text that a secret is shown as', () => {
    expect(faultsOf({ variables: { a: '***', b: '****', c: { secret: 'x' } } })).to.have.all.keys('http.variables.a');
  });

  it('have names of one line, in which nothing changes the direction of text', () => {
    for (const name of ['a\nb', 'a\u0085b', 'a\u2028b', '\u202eb', 'a\u2067b', 'a\ud800', 'a\u001b[31mb'])
      expect(faultsOf({ steps: [step({ name })] }, create, { name }), JSON.stringify(name)).to.have.all.keys(
        'http.steps.0.name',
        'name',
      );
    for (const name of ['\tעברית\u200f!\n', 'Ünïcode 👩‍💻', 'a\u00a0b'])
      expect(faultsOf({ steps: [step({ name })] }, create, { name }), JSON.stringify(name)).to.deep.equal({});
  });

  it('have no placeholder in scheme, host or port, however the URL is spelled', () => {
    const variables = { x: 'y' };
    for (const place of [
      '{{x}}://shop.example/',
      'https:{{x}}/',
      'https:/{{x}}/',
      'https:\\\\{{x}}/',
      'https:////{{x}}/',
      'https://shop.example.{{x}}',
      'https://shop.example:{{x}}/',
      'https://{{x}}@shop.example/',
    ])
      expect(faultsOf({ variables, steps: [step({ url: place })] }), place).to.have.property('http.steps.0.url');
    for (const rest of ['/{{x}}', '?{{x}}', '#{{x}}', '/a/../{{x}}'])
      expect(faultsOf({ variables, steps: [step({ url: `https://shop.example${rest}` })] }), rest).to.deep.equal({});
  });

  it('are at most nine, with fewer than twenty-one names, and delays within the timeout', () => {
    const many = Array.from({ length: 10 }, (_, at) => step({ name: String(at) }));
    expect(faultsOf({ steps: many })).to.have.property('http.steps');
    const variables = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`v${at}`, '']));
    expect(faultsOf({ variables })).to.deep.equal({ 'http.variables': 'must have at most 20 entries' });
    const steps = ['a', 'b', 'c'].map((name) => step({ name, delay: 'PT10S' }));
    expect(faultsOf({ steps })).to.have.property('http.steps');
    expect(faultsOf({ steps }, create, { checkTimeout: 'PT31S' })).to.deep.equal({});
  });

  it('of a change are compared with names only where it has all of them', () => {
    const steps = [step({ body: '{{kept}}', method: 'POST' })];
    expect(faultsOf({ steps }, update)).to.deep.equal({});
    expect(faultsOf({ steps, variables: {}, extract: {} }, update)).to.have.property('http.steps.0.body');
  });
});
