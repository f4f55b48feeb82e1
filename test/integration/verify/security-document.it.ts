import { access, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';

const DOCUMENT = resolve('docs/security.md');

describe('The security document', () => {
  it('refers only to tests that exist, and has a test for each threat', async () => {
    const text = await readFile(DOCUMENT, 'utf8');
    const paths = [...text.matchAll(/\]\((\.\.\/[^)]+)\)/g)].map(([, path]) => join(dirname(DOCUMENT), path!));
    expect(paths.length).to.be.greaterThan(50);
    const missing: string[] = [];
    for (const path of new Set(paths)) await access(path).catch(() => missing.push(path));
    expect(missing).to.deep.equal([]);
    const threats = text.split('## Threats and measures')[1]!.split('## What is out of scope')[0]!;
    const rows = threats.split('\n').filter((line) => /^\| (?!threat |-)/.test(line));
    expect(rows.length).to.be.greaterThan(30);
    expect(rows.filter((row) => !row.includes('.ts)'))).to.deep.equal([]);
  });
});
