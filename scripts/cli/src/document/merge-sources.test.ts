import { expect } from 'chai';
import fc from 'fast-check';
import type { ErrorDetail } from '../command/command-error.js';
import { locate, splitPath } from './locate.js';
import { type MergedDocument, mergeSources } from './merge-sources.js';
import { parseSource, type ParsedSource } from './parse-source.js';
import { resolveEnvironment } from './resolve-environment.js';

const parse = (name: string, text: string) => parseSource({ name, text });
const merge = (files: Record<string, string>) =>
  mergeSources(Object.entries(files).map(([name, text]) => parse(name, text) as ParsedSource));
const faultsOf = (result: object) => (result as { faults: ErrorDetail[] }).faults;
const lines = (faults: readonly ErrorDetail[]) =>
  faults.map(({ path, message, file, line, column }) => `${file}:${line}:${column} ${path} ${message}`);

describe('The files of a document', () => {
  const FILES = {
    'a.yaml':
      'apiVersion: watchpost/v1\nproject: shop\ndefaults: { checkInterval: PT1M }\nmonitors:\n  a.b:\n    url: https://a.example/\n',
    'b.json': '{\n  "project": "shop",\n  "monitors": {\n    "b": { "tags": ["x", "y"] }\n  }\n}\n',
  };

  it('become one document, and each node keeps its position', () => {
    const merged = merge(FILES) as MergedDocument;
    expect(merged.value).to.deep.equal({
      apiVersion: 'watchpost/v1',
      project: 'shop',
      defaults: { checkInterval: 'PT1M' },
      monitors: { 'a.b': { url: 'https://a.example/' }, b: { tags: ['x', 'y'] } },
    });
    const placeOf = (dotted: string) => {
      const { file, line, column } = locate(merged, splitPath(merged.value, dotted))!;
      return `${file}:${line}:${column}`;
    };
    expect(placeOf('monitors.a.b.url')).to.equal('a.yaml:6:10');
    expect(placeOf('monitors.b.tags.1')).to.equal('b.json:4:26');
    expect(placeOf('monitors.b.url'), 'a field that is missing').to.equal('b.json:4:5');
    expect(placeOf('monitors.b.checkInterval'), 'a field of the defaults').to.equal('a.yaml:3:28');
  });

  it('may not contradict each other, and every contradiction names both places', () => {
    const faults = faultsOf(
      merge({
        ...FILES,
        'c.yaml': 'project: other\ndefaults: {}\nmonitors: { b: {}, c: {} }\n',
        'd.yaml': 'monitors: []\n',
      }),
    );
    expect(lines(faults)).to.deep.equal([
      'c.yaml:1:10 project must be the same in all files (a.yaml:2)',
      'c.yaml:2:1 defaults is in another file already (a.yaml:3)',
      'c.yaml:3:13 monitors.b is in another file already (b.json:4)',
      'd.yaml:1:1 monitors is in another file already (a.yaml:4)',
    ]);
  });

  it('with faults of the syntax are reported by line and column', () => {
    const of = (text: string) => lines(faultsOf(parse('x.yaml', text)));
    expect(of('monitors:\n  a: {\n')[0]).to.match(/^x\.yaml:3:1 {2}is not valid YAML: /);
    expect(of('a: 1\nb: 2\na: 3\n')[0]).to.equal('x.yaml:3:1  is not valid YAML: the key is there twice');
    expect(of('a: 1\n---\nb: 2\n')).to.deep.equal(['x.yaml:2:1  has more than one document: divide it']);
    expect(of('# nothing\n')).to.deep.equal(['x.yaml:1:1  is empty']);
    expect(of('- a\n')[0]).to.include('must be a map');
    expect(of('['.repeat(1_000))).to.deep.equal(['x.yaml:1:1  is nested more than 50 levels deep']);
    expect(of('a: b\n'.repeat(800_000))[0]).to.match(/^x\.yaml:1:1 {2}has more than 100000 values/);
    expect(of('a: !!set { b }\n')[0]).to.match(/^x\.yaml:1:4 {2}has a tag that is not known here/);
    const bomb = `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n`;
    expect(of(bomb)).to.deep.equal(['x.yaml:1:1  has aliases that expand to more than 1000 nodes']);
    expect(of('a: *none\nb: &b [*b]\nc: !secret x\nd: { <<: 1 }\n')).to.deep.equal([
      'x.yaml:1:4  the alias *none has no anchor before it',
      'x.yaml:2:8  the alias *b is part of the node that it names',
      'x.yaml:3:4  has a tag that is not known here: !secret',
      'x.yaml:4:10  `<<` merges maps, or a list of maps, and nothing else',
    ]);
  });

  it('name variables, which are replaced everywhere but in maps of headers', () => {
    const document = merge({
      'a.yaml':
        'actionGroups:\n  chat: { webhookUrl: { env: HOOK } }\nmonitors:\n  a: { http: { headers: { env: prod } }, tags: [{ env: TAG, allowEmpty: true }] }\n',
    }) as MergedDocument;
    const resolved = resolveEnvironment(document, (name) => ({ HOOK: 'https://hook', TAG: '' })[name]);
    expect(resolved)
      .to.have.property('value')
      .deep.equal({
        actionGroups: { chat: { webhookUrl: 'https://hook' } },
        monitors: { a: { http: { headers: { env: 'prod' } }, tags: [''] } },
      });
    expect(lines(faultsOf(resolveEnvironment(document, () => '')))).to.deep.equal([
      'a.yaml:2:11 actionGroups.chat.webhookUrl names the environment variable HOOK, which is empty: set it, or add `allowEmpty: true`',
    ]);
    expect(lines(faultsOf(resolveEnvironment(document, () => undefined)))).to.deep.equal([
      'a.yaml:2:11 actionGroups.chat.webhookUrl names the environment variable HOOK, which is not set',
      'a.yaml:4:49 monitors.a.tags.0 names the environment variable TAG, which is not set',
    ]);
  });
});

describe('splitPath', () => {
  it('finds every node by its dotted path, dots in keys included', () => {
    const key = fc.stringMatching(/^[a-z](?:[a-z.]{0,6}[a-z])?$/);
    const tree = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.constant(1), fc.dictionary(key, tie('node'), { maxKeys: 3 })),
    })).node;
    fc.assert(
      fc.property(tree, (value) => {
        for (const path of pathsOf(value)) {
          const found = splitPath(value, path.join('.'));
          // Two nodes may have the same dotted path: then either is right.
          expect(found.join('.')).to.equal(path.join('.'));
        }
      }),
    );
    expect(splitPath({ 'a.b': { c: 1 }, a: { b: { d: 1 } } }, 'a.b.c')).to.deep.equal(['a.b', 'c']);
    expect(splitPath({ a: [{ b: 1 }] }, 'a.0.b.x')).to.deep.equal(['a', '0', 'b', 'x']);
  });
});

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [[key], ...pathsOf(child).map((path) => [key, ...path])]);
}
