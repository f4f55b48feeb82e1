import { expect } from 'chai';
import { Registry } from 'prom-client';
import { connectionMetrics } from './connection-metrics.js';
import { ConnectionTurns } from './connection-turns.js';

describe('the metrics of the connections', () => {
  it('show who uses them, who waits and for how long, at the time of the scrape', async () => {
    const registry = new Registry();
    const metrics = connectionMetrics(registry);
    const turns = new ConnectionTurns(1, metrics.onWaited);
    metrics.show(turns);
    const giveBack = await turns.take(undefined);
    const waiting = turns.take('a tenant');
    const held = await registry.metrics();
    expect(held).to.include('watchpost_database_connections_used{by="background"} 1');
    expect(held).to.include('watchpost_database_connections_used{by="requests"} 0');
    expect(held).to.include('watchpost_database_waiting{by="requests"} 1');
    giveBack();
    await waiting;
    const passed = await registry.metrics();
    expect(passed).to.include('watchpost_database_connections_used{by="requests"} 1');
    expect(passed).to.include('watchpost_database_waiting{by="requests"} 0');
    expect(passed).to.include('watchpost_database_wait_seconds_count{by="requests"} 1');
  });
});
