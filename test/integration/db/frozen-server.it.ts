import { expect } from 'chai';
import pino from 'pino';
import { DatabaseHosts } from '@watchpost/control-plane/platform/db/database-hosts';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type SilentServer, startSilentServer } from '../../support/silent-server.js';

describe('a database server that is frozen', function () {
  /** Longer than the test may run: where the frozen server were waited for, it would fail. */
  const times = { answerMs: 600_000, othersMs: 100 };
  let test: TestDatabase;
  let frozen: SilentServer;
  let hosts: DatabaseHosts;

  beforeEach(async () => {
    [test, frozen] = [await createTestDatabase(), await startSilentServer()];
    const { host } = new URL(test.url);
    const url = test.url.replace(host, `127.0.0.1:${frozen.port},${host}`);
    hosts = new DatabaseHosts({ url, logger: pino({ level: 'silent' }), times });
  });
  afterEach(async () => {
    hosts.close();
    await frozen.close();
    await test.drop();
  });

  it('is not waited for where another one is the primary, at the start and where a connection was lost', async () => {
    const primary = hosts.hosts[1]!;
    expect(await hosts.choose()).to.equal(primary);
    hosts.suspect(primary);
    expect(await hosts.choose()).to.equal(primary);
    const client = hosts.client({});
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await client.end();
  });
});
