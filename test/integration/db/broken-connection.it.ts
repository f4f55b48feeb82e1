import { expect } from 'chai';
import pino from 'pino';
import { DatabaseHosts } from '@watchpost/control-plane/platform/db/database-hosts';
import { internalsOf } from '@watchpost/control-plane/platform/db/client-internals';
import { createTestDatabase } from '../../support/database.js';

describe('a connection that breaks while it is made', () => {
  it('is an error of the connection, and not of the process', async () => {
    const test = await createTestDatabase();
    const hosts = new DatabaseHosts({ url: test.url, logger: pino({ level: 'silent' }) });
    const client = new hosts.Client({ connectionString: test.url });
    const { connection } = internalsOf(client);
    // The driver is connected, and the state of the server is being read: a pool breaks the connection at its deadline.
    connection.once('readyForQuery', () => connection.stream.destroy());
    try {
      const error = await client.connect().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error);
      // An error without a listener would end the process in a later turn.
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      hosts.close();
      await test.drop();
    }
  });
});
