import { expect } from 'chai';
import pino from 'pino';
import { DatabaseHosts } from '@watchpost/control-plane/platform/db/database-hosts';
import { createTestDatabase } from '../../support/database.js';

describe('a connection that breaks while it is made', () => {
  it('is an error of the connection, and not of the process', async () => {
    const test = await createTestDatabase();
    const hosts = new DatabaseHosts({ url: test.url, logger: pino({ level: 'silent' }) });
    const client = new hosts.Client({ connectionString: test.url });
    const { connection } = client;
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

describe('a connection whose server does not answer', () => {
  const times = { lookMs: 20, deadlineMs: 60_000, stoppingDeadlineMs: 200 };

  it('is waited for, and is closed soon when the process stops', async () => {
    const test = await createTestDatabase();
    const hosts = new DatabaseHosts({ url: test.url, logger: pino({ level: 'silent' }), times });
    const client = hosts.client({});
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT pg_sleep(0.5)');
      const asked = client.query('SELECT pg_sleep(30)').catch((error: unknown) => error);
      hosts.stopSoon();
      expect(await asked)
        .to.be.instanceOf(Error)
        .with.property('message')
        .that.contains('did not answer in time');
    } finally {
      hosts.close();
      await test.drop();
    }
  });
});
