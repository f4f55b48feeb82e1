import { expect } from 'chai';
import { partsOfHeaders, partsOfJson } from './answer-values.js';

const assertionsOf = (json: unknown) =>
  Object.fromEntries(
    partsOfJson(JSON.stringify(json))!.map(({ name, assertion: { comparison, target } }) => [
      name,
      [comparison, target],
    ]),
  );

describe('The parts of an answer', () => {
  it('of JSON have their normalized paths, and assertions that they satisfy', () => {
    expect(assertionsOf({ ok: true, items: [{ name: 'shoes', price: 9.5 }], none: [], gone: null })).to.deep.equal({
      $: ['exists', undefined],
      "$['ok']": ['equals', true],
      "$['items']": ['countGreaterThan', 0],
      "$['items'][0]": ['exists', undefined],
      "$['items'][0]['name']": ['equals', 'shoes'],
      "$['items'][0]['price']": ['equals', 9.5],
      "$['none']": ['countEquals', 0],
      "$['gone']": ['equals', null],
    });
  });

  it('escape names as RFC 9535 does', () => {
    const name = 'it\'s \\ \n \u000b "x"';
    expect(partsOfJson(JSON.stringify({ [name]: 1 }))![1]!.name).to.equal(`$['it\\'s \\\\ \\n \\u000b "x"']`);
  });

  it('are newer than a day where they are times, and only there where a browser cannot have them exactly', () => {
    expect(assertionsOf(['2026-11-28T10:00:00Z', 'x'.repeat(201)])).to.deep.include({
      '$[0]': ['newerThan', 'P1D'],
      '$[1]': ['exists', undefined],
    });
    expect(partsOfJson('9007199254740993')![0]!.assertion.comparison).to.equal('exists');
  });

  it('are at most 100, and none of a body that is no JSON', () => {
    expect(partsOfJson(JSON.stringify([...Array.from({ length: 500 }).keys()]))).to.have.length(100);
    expect(partsOfJson('<html>')).to.equal(undefined);
    expect(partsOfJson('{"items": [1, 2')).to.equal(undefined);
  });

  it('of headers are compared by their values, unless these are masked', () => {
    const [type, cookie] = partsOfHeaders({ 'content-type': 'text/html', 'set-cookie': '***' });
    expect(type!.assertion).to.include({ property: 'content-type', comparison: 'equals', target: 'text/html' });
    expect(cookie!.assertion).to.include({ property: 'set-cookie', comparison: 'exists' });
  });

  it('are extracted under names of their own, unless they are several values', () => {
    const [whole, one, list, item] = partsOfJson(JSON.stringify({ 'access-token': 'x', ids: [7] }))!;
    expect([whole!.extraction, list!.extraction]).to.deep.equal([undefined, undefined]);
    expect(one!.extraction).to.deep.equal({
      name: 'accessToken',
      from: 'json',
      expression: "$['access-token']",
      secret: false,
    });
    expect(item!.extraction).to.include({ name: 'ids', expression: "$['ids'][0]" });
    expect(partsOfJson('7')![0]!.extraction).to.include({ name: 'value', expression: '$' });
    const [header] = partsOfHeaders({ 'x-request-id': '7' });
    expect(header!.extraction).to.deep.equal({
      name: 'xRequestId',
      from: 'header',
      expression: 'x-request-id',
      secret: false,
    });
  });
});
