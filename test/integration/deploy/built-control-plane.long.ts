import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { type Product, startProduct } from '../../support/product.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

describe('The built control plane', function () {
  this.timeout(1_200_000);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-built-'));
  let product: Product | undefined;

  before(async () => {
    await run(process.execPath, [join(ROOT, 'scripts/build-control-plane.mjs'), '--out', folder], {
      timeout: 1_000_000,
    });
    product = await startProduct({ folder, env: { START_HOME_AGENT: '1', DEFAULT_PLAN: 'Enterprise' } });
  });
  after(async () => {
    await product?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has no types and no source maps of packages, and runs without them, with console, documents and home agent', async () => {
    const { api, baseUrl } = product!;
    const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
    const packages = files.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(packages.length).to.be.above(1_000);
    expect(packages.filter((name) => /\.(?:ts|map)$/.test(name))).to.deep.equal([]);
    for (const path of ['/', '/health', '/swagger', '/swagger/v1/swagger.json'])
      expect((await fetch(baseUrl + path)).status, path).to.equal(200);
    const { status } = await api('POST', '/api/v1/workspaces', { name: 'Acme' });
    expect(status).to.equal(201);
    const document = 'apiVersion: watchpost/v1\nproject: shop\nmonitors: { shop: { url: https://shop.example/ } }';
    const { body: plan } = await api('POST', '/api/v1/config/plan', { document });
    expect(plan.summary, 'of a document, which a thread reads').to.include({ create: 1 });
    const tested = await eventually(
      'a test by the home agent',
      async () => {
        const answer = await api('POST', '/api/v1/monitor-test', { url: `${baseUrl}/health/live` });
        return answer.status === 200 ? answer.body : undefined;
      },
      180_000,
      500,
    );
    expect(tested).to.include({ outcome: 'up', failureReason: null });
  });
});
