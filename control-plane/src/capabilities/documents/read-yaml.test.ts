import { expect } from 'chai';
import { Fault } from '@watchpost/shared/fault';
import { readYamlText } from '@watchpost/shared/read-yaml';
import { readYaml } from './read-document.js';

/** Without the thread, whose deadline is no matter of what is read. */
const faultsOf = (text: string) => {
  const answer = readYamlText(text);
  return 'faults' in answer ? answer.faults.map(({ message, at }) => [message, ...(at ?? [])]) : answer.value;
};
/** Its thread takes long enough to start that others wait, and on a busy machine still far less than its deadline. */
const TEXT = 'a: 1';

describe('reading YAML', () => {
  it('takes turns by owner: the texts of one wait for each other, and those of another do not wait for them', async () => {
    const order: string[] = [];
    const read = async (text: string, owner: string) => {
      await readYaml(text, owner);
      order.push(owner);
    };
    const many = Array.from({ length: 10 }, () => read(TEXT, 'a'));
    const other = read('b: 1', 'b');
    await Promise.all([...many, other]);
    expect(order.indexOf('b')).to.be.below(5);
  });

  it('refuses texts of an owner that has many waiting, and reads those of others', async () => {
    const texts = Array.from({ length: 20 }, () => readYaml(TEXT, 'a').catch((error: unknown) => error));
    expect(await readYaml('b: 1', 'b')).to.deep.include({ value: { b: 1 } });
    const refused = (await Promise.all(texts)).filter((answer) => answer instanceof Fault);
    expect(refused).to.have.length.within(1, 10);
    for (const fault of refused) expect(fault).to.include({ code: 'unavailable', retryAfterSeconds: 1 });
  });

  it('finds keys that are there twice, wherever they are', async () => {
    expect(faultsOf('a:\n  - b: { c: 1, c: 2 }\n')).to.deep.equal([
      ['is not valid YAML: the key is there twice', 2, 16],
    ]);
  });

  it('has the place of every node by its path', async () => {
    const answer = await readYaml('a:\n  - x\n  - b: 1\n', 'a');
    expect('places' in answer && answer.places.get('["a","1","b"]')).to.deep.equal([3, 8]);
  });

  it('names aliases and tags that it does not know, all of them with their places', async () => {
    expect(
      faultsOf('a: *none\nb: &b\n  c: [*b]\nd: !secret x\ne: !map { f: 1 }\ng: *late\nh: &late 1\n'),
    ).to.deep.equal([
      ['the alias *none has no anchor before it', 1, 4],
      ['the alias *b is part of the node that it names', 3, 7],
      ['has a tag that is not known here: !secret', 4, 4],
      ['has a tag that is not known here: !map', 5, 4],
      ['the alias *late has no anchor before it', 6, 4],
    ]);
  });

  it('refuses numbers that would be rounded or infinite, by line and field', async () => {
    const text = [
      'a: { b: [1, 9007199254740993] }',
      'c: -9007199254740993',
      'd: +9007199254740993',
      'e: 0x20000000000001',
      'f: 0o400000000000000001',
      '9007199254740993: g',
      'h: 1e400',
      'i: -.inf',
      'j: .nan',
      `k: ${'9'.repeat(401)}`,
      `l: ${'9'.repeat(399)}`,
    ].join('\n');
    const answer = await readYaml(text, 'a');
    const faults = 'faults' in answer ? answer.faults : [];
    const integer = 'is 9007199254740993, which would be rounded: put a text into quotes';
    const expected: [string, number, string][] = [
      ['a.b.1', 1, integer],
      ['c', 2, 'is -9007199254740993, which would be rounded'],
      ...['d', 'e', 'f', '9007199254740993'].map((path, at): [string, number, string] => [path, 3 + at, integer]),
      ['h', 7, 'would become Infinity, which JSON does not have: give a number below 1.8e308'],
      ['i', 8, 'would become -Infinity'],
      ['j', 9, 'would become NaN'],
      ['k', 10, 'would become Infinity'],
      ['l', 11, 'is 9999'],
    ];
    expect(faults.map(({ path, at }) => [path.join('.'), at?.[0]])).to.deep.equal(
      expected.map(([path, line]) => [path, line]),
    );
    for (const [at, [path, , message]] of expected.entries()) expect(faults[at]!.message, path).to.include(message);
  });

  it('keeps numbers that are exact, and texts in quotes', async () => {
    expect(
      faultsOf('a: 9007199254740992\nb: 1152921504606847000\nc: "9007199254740993"\nd: 0.1\ne: 007\nf: 1e30\n'),
    ).to.deep.equal({ a: 2 ** 53, b: 2 ** 60, c: '9007199254740993', d: 0.1, e: 7, f: 1e30 });
  });

  it('refuses the tags of values that JSON does not have', async () => {
    const text = 'a: !!binary aGk=\nb: !!set { x }\nc: !!omap [x: 1]\nd: !!timestamp 2026-11-28\ne: [!!merge "<<"]\n';
    expect(faultsOf(text)).to.deep.equal([
      ['has a tag that is not known here: tag:yaml.org,2002:binary', 1, 4],
      ['has a tag that is not known here: tag:yaml.org,2002:set', 2, 4],
      ['has a tag that is not known here: tag:yaml.org,2002:omap', 3, 4],
      ['has a tag that is not known here: tag:yaml.org,2002:timestamp', 4, 4],
      ['`<<` is a key of maps, and no value', 5, 13],
    ]);
  });

  it('merges the fields of maps by `<<`', async () => {
    expect(faultsOf('a: &a { x: 1, y: 1 }\nb: { <<: *a, y: 2 }\nc: { <<: [*a, { z: 3 }] }\n')).to.deep.equal({
      a: { x: 1, y: 1 },
      b: { x: 1, y: 2 },
      c: { x: 1, y: 1, z: 3 },
    });
    expect(faultsOf('a: &a 1\nb: { <<: *a }\nc: { <<: [2] }\n')).to.deep.equal([
      ['`<<` merges maps, or a list of maps, and nothing else', 2, 10],
      ['`<<` merges maps, or a list of maps, and nothing else', 3, 11],
    ]);
  });

  it('refuses what would take long, before it is composed', async () => {
    expect(faultsOf(`a: &a 1\nb: [${'*a,'.repeat(60_000)}]`)).to.deep.equal([
      ['has more than 1000 anchors and aliases'],
    ]);
    expect(faultsOf(`[${'&a 1,'.repeat(60_000)}]`)).to.deep.equal([['has more than 1000 anchors and aliases']]);
    const megabyteOf = (part: string) => part.repeat(1_040_000 / part.length);
    for (const part of ['#\n', '\r\n', ': ', ':\n', '?\n', '...\n'])
      expect(faultsOf(megabyteOf(part)), part).to.deep.equal([
        ['has more than 400000 parts: leave out blank lines and comments, or divide it'],
      ]);
    for (const part of ['!a ', '!!str '])
      expect(faultsOf(megabyteOf(part)), part).to.deep.equal([['has more than 100000 values']]);
    expect(faultsOf(`[${'1,'.repeat(100_000)}]`)).to.deep.equal([['has more than 100000 values']]);
    expect(faultsOf(`[${'1,'.repeat(10_001)}]`)).to.deep.equal([
      ['is not valid YAML: a list or map has more than 10000 entries', 1, 1],
    ]);
    const doubled = Array.from({ length: 30 }, (_, at) => `m${at + 1}: &m${at + 1} { <<: [*m${at}, *m${at}] }\n`);
    expect(faultsOf(`m0: &m0 { a: 1 }\n${doubled.join('')}`)).to.deep.equal([
      ['merge keys copy more than 20000 values', 12, 13],
    ]);
  });
});
