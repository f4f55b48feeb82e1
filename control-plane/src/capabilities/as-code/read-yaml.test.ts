import { expect } from 'chai';
import { Fault } from '@watchpost/shared/fault';
import { readYaml } from './read-yaml.js';

describe('reading YAML', () => {
  it('delays no other owner, and takes one text of an owner at a time', async () => {
    const slow = readYaml(`[${'1,'.repeat(50_000)}1]`, 'a');
    const refused = await readYaml('b: 1', 'a').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Fault).and.include({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(await readYaml('b: 1', 'b')).to.deep.include({ value: { b: 1 } });
    expect(await slow).to.have.property('value');
    expect(await readYaml('c: 1', 'a')).to.have.property('value');
  });

  it('finds keys that are there twice, wherever they are', async () => {
    expect(await readYaml('a:\n  - b: { c: 1, c: 2 }\n', 'a')).to.deep.equal({
      faults: [{ message: 'is not valid YAML: the key is there twice', at: [2, 16] }],
    });
  });

  it('has the place of every node by its path', async () => {
    const answer = await readYaml('a:\n  - x\n  - b: 1\n', 'a');
    expect('places' in answer && answer.places.get('["a","1","b"]')).to.deep.equal([3, 8]);
  });
});
