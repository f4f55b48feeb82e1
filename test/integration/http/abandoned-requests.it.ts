import { expect } from 'chai';
import pg from 'pg';
import { z } from 'zod';
import { throwIfOver } from '@watchpost/control-plane/platform/db/request-context';
import { route, type Route } from '@watchpost/control-plane/platform/http/route';
import { startTestApp, type TestApp } from '../../support/app.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { seedMonitor } from '../../support/seed.js';
import { databaseForSuite } from '../../support/suite.js';
import { type SampleService, startSampleService } from './sample-service.js';

describe('A request for which nobody waits any more', () => {
  describe('because its caller has hung up', () => {
    let app: TestApp;
    let lock: pg.Client;
    before(async () => {
      app = await startTestApp();
      lock = new pg.Client({ connectionString: app.databaseUrl });
      await lock.connect();
    });
    after(async () => {
      await lock?.end();
      await app?.stop();
    });

    const waitsForLock = async () => {
      return app.value<number>(
        `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    };

    /** Sends a request about a monitor that another session has locked, and hangs up while it waits for the lock. */
    async function hangUp(send: (id: string, request: RequestInit) => Promise<unknown>): Promise<void> {
      const { id } = await seedMonitor(app);
      const headers = { authorization: `Bearer ${await app.token('owner')}`, 'content-type': 'application/json' };
      const { name } = (await app.api('GET', `/api/v1/monitor/${id}`)).body;
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE monitor');
      const caller = new AbortController();
      const answer = send(id, { headers, signal: caller.signal }).catch((error: Error) => error.name);
      const hasWaiting = async (isWaiting: boolean) => (await waitsForLock()) > 0 === isWaiting || undefined;
      await eventually('it waits for the lock', () => hasWaiting(true), PATIENCE_MS, 20);
      caller.abort();
      expect(await answer).to.equal('AbortError');
      await eventually('it waits no more', () => hasWaiting(false), PATIENCE_MS, 20);
      await lock.query('ROLLBACK');
      expect((await app.api('GET', `/api/v1/monitor/${id}`)).body.name).to.equal(name);
    }

    it('over REST ends: its statement is cancelled and its change undone', () =>
      hangUp((id, request) =>
        fetch(`${app.baseUrl}/api/v1/monitor/${id}`, {
          ...request,
          method: 'PUT',
          body: JSON.stringify({ name: 'Changed' }),
        }),
      ));

    it('over MCP ends in the same way', () =>
      hangUp((_, request) =>
        fetch(`${app.baseUrl}/mcp`, {
          ...request,
          method: 'POST',
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'list_monitors', arguments: {} },
          }),
        }),
      ));
  });

  describe('of a small service', () => {
    const database = databaseForSuite();
    let service: SampleService | undefined;
    before(() => database.database.transaction((tx) => tx.query('CREATE TABLE step (name text)')));
    afterEach(async () => {
      await service?.close();
      await database.database.transaction((tx) => tx.query('DELETE FROM step'));
    });

    const done = { over: 0, begun: 0 };
    const insert = (name: string) =>
      database.database.transaction((tx) => tx.query('INSERT INTO step VALUES ($1)', [name]));
    const steps = async () => {
      const rows = await database.database.read((tx) => tx.query<{ name: string }>('SELECT name FROM step'));
      return rows.map(({ name }) => name);
    };
    const activeSleeps = async () => {
      const [row] = await database.database.read((tx) =>
        tx.query<{ count: number }>(
          `SELECT count(*) AS count FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'`,
        ),
      );
      return row!.count;
    };
    function routesDoing(work: () => Promise<unknown>): Route[] {
      return [
        route({
          method: 'post',
          path: '/api/v1/long',
          operationId: 'longWork',
          summary: 'Something long',
          audits: { none: 'a sample' },
          tag: 'Notes',
          scopes: ['monitor.write'],
          role: 'Editor',
          answers: { 200: { description: 'Done', schema: z.object({}) } },
          async handle() {
            done.begun++;
            try {
              await work();
            } finally {
              done.over++;
            }
            return { body: {} };
          },
        }),
      ];
    }
    async function start(work: () => Promise<unknown>, deadlineMs?: number): Promise<SampleService> {
      Object.assign(done, { over: 0, begun: 0 });
      service = await startSampleService(database.database, {
        routes: routesDoing(work),
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      });
      return service;
    }
    const post = ({ url }: SampleService, signal?: AbortSignal, key = 'a-key') =>
      fetch(`${url}/api/v1/long`, {
        method: 'POST',
        headers: { authorization: 'Bearer alice-owner', 'idempotency-key': key },
        ...(signal ? { signal } : {}),
      });
    async function postAndHangUp(service: SampleService): Promise<void> {
      const caller = new AbortController();
      const answer = post(service, caller.signal).catch(() => undefined);
      await eventually('the work has begun', () => done.begun > 0 || undefined, PATIENCE_MS, 5);
      caller.abort();
      await answer;
      await eventually('the work is over', () => done.over > 0 || undefined, PATIENCE_MS, 5);
    }

    it('at the deadline is cancelled in the database too, and the connection goes on serving others', async () => {
      const sleeping = await start(() => database.database.transaction((tx) => tx.query('SELECT pg_sleep(60)')), 200);
      const { status } = await post(sleeping);
      expect(status).to.equal(503);
      await eventually('the work is over', () => done.over > 0 || undefined, PATIENCE_MS, 5);
      expect(await activeSleeps()).to.equal(0);
      for (let turn = 0; turn < 10; turn++) await insert(`${turn}`);
      expect(await steps()).to.have.length(10);
    });

    it('ends its long loops', async () => {
      const looping = await start(async () => {
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          throwIfOver();
        }
      });
      await postAndHangUp(looping);
    });

    it('sends no further statement, and leaves its idempotency key free for the repetition', async () => {
      let isFirst = true;
      let goOn!: () => void;
      const goneOn = new Promise<void>((resolve) => (goOn = resolve));
      const service = await start(() =>
        database.database.transaction(async (tx) => {
          await tx.query(`INSERT INTO step VALUES ($1)`, [isFirst ? 'first' : 'second']);
          if (!isFirst) return;
          isFirst = false;
          await goneOn;
          await tx.query(`INSERT INTO step VALUES ('never')`);
        }),
      );
      const caller = new AbortController();
      const answer = post(service, caller.signal).catch(() => undefined);
      await eventually('the work has begun', () => (isFirst ? undefined : true), PATIENCE_MS, 5);
      caller.abort();
      await answer;
      await eventually(
        'the service has noticed',
        () => service.logLines.find((line) => line.includes('499')),
        PATIENCE_MS,
        5,
      );
      goOn();
      await eventually('the work is over', () => done.over > 0 || undefined, PATIENCE_MS, 5);
      expect(await steps()).to.deep.equal([]);
      const again = await eventually(
        'the key is free',
        async () => {
          const { status } = await post(service);
          return status === 200 || undefined;
        },
        PATIENCE_MS,
      );
      expect(again).to.equal(true);
      expect(await steps()).to.deep.equal(['second']);
    });

    it('finishes what it has begun to commit', async () => {
      let hasCommitted = false;
      let goOn!: () => void;
      const goneOn = new Promise<void>((resolve) => (goOn = resolve));
      const service = await start(async () => {
        await insert('one');
        hasCommitted = true;
        await goneOn;
        await insert('two');
      });
      const caller = new AbortController();
      const answer = post(service, caller.signal, 'another-key').catch(() => undefined);
      await eventually('the first part is committed', () => hasCommitted || undefined, PATIENCE_MS, 5);
      caller.abort();
      await answer;
      await eventually(
        'the service has noticed',
        () => service.logLines.find((line) => line.includes('499')),
        PATIENCE_MS,
        5,
      );
      goOn();
      await eventually('the work is over', () => done.over > 0 || undefined, PATIENCE_MS, 5);
      expect(await steps()).to.deep.equal(['one', 'two']);
    });
  });
});
