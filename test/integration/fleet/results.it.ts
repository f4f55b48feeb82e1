import { expect } from 'chai';
import { status } from '@grpc/grpc-js';
import type { CheckResult } from '@watchpost/shared/outcome';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { FleetService } from './fleet-service.js';

describe('results from agents', function () {
  let service: FleetService;
  afterEach(() => service.stop());

  it('are acknowledged after their commit, and waiting batches are ingested together', async () => {
    const ingests: { results: readonly CheckResult[]; commit: () => void; fail: (error: Error) => void }[] = [];
    service = await FleetService.start({
      ingest: (results) => new Promise((commit, fail) => ingests.push({ results, commit, fail })),
    });
    const stream = (await service.agent('vm-1')).results();
    stream.send(1, 10);
    await eventually('the first ingest', () => ingests[0], PATIENCE_MS, 5);
    stream.send(11, 10);
    stream.send(21, 10);
    await metric(service, 'watchpost_results_in_flight', 30);
    expect(ingests).to.have.length(1);
    expect(stream.acks).to.deep.equal([]);
    ingests[0]!.commit();
    await stream.acknowledged(10);
    const second = await eventually('the second ingest', () => ingests[1], PATIENCE_MS, 5);
    expect(second.results.map(({ key }) => key.monitorKey)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => 11 + index),
    );
    second.commit();
    await stream.acknowledged(30);
    await metric(service, 'watchpost_results_in_flight', 0);
  });

  it('wait on the open stream while the database is unavailable, and reading stops', async () => {
    let down = true;
    let ingested = 0;
    service = await FleetService.start({
      ingest: async (results) => {
        if (down) throw new Error('the database is away');
        ingested += results.length;
      },
    });
    const stream = (await service.agent('vm-1')).results();
    let sent = 0;
    while (sent < 200_000 && stream.send(sent + 1, 100)) sent += 100;
    sent += 100;
    // Some are buffered on the way. The rest waits at the agent.
    for (let more = 0; more < 3_000; more++, sent += 100) stream.send(sent + 1, 100);
    await eventually(
      'some tries',
      async () => ((await value(service, 'watchpost_result_ingest_failures_total'))! > 1 ? true : undefined),
      PATIENCE_MS,
      20,
    );
    const held = (await value(service, 'watchpost_results_in_flight'))!;
    expect(held).to.be.below(sent / 2);
    expect(stream.acks).to.deep.equal([]);
    expect(stream.status).to.equal(undefined);
    down = false;
    await stream.acknowledged(sent);
    expect(ingested).to.equal(sent);
  });

  it('are all acknowledged if they were sent before the agent closed its side', async () => {
    service = await FleetService.start({ ingest: () => new Promise((resolve) => setImmediate(resolve)) });
    const stream = (await service.agent('vm-1')).results();
    for (let first = 1; first <= 901; first += 100) stream.send(first, 100);
    stream.call.end();
    expect((await stream.ended()).code).to.equal(status.OK);
    expect(stream.acks.at(-1)).to.equal(1_000);
  });

  it('end the stream if they can never be accepted, with the sequence number', async () => {
    service = await FleetService.start();
    const stream = (await service.agent('vm-1')).results();
    const unknownOutcome: number = 99;
    stream.send(5, 3, (result) => {
      if (result.key!.monitorKey === 6n) result.outcome = unknownOutcome;
    });
    const end = await stream.ended();
    expect(end.code).to.equal(status.INVALID_ARGUMENT);
    expect(end.metadata.get('watchpost-refused-sequence')).to.deep.equal(['6']);
  });

  it('end the stream if they are out of order or from two spools', async () => {
    service = await FleetService.start();
    const agent = await service.agent('vm-1');
    const backwards = agent.results();
    backwards.send(10, 5);
    backwards.send(12, 5);
    expect((await backwards.ended()).code).to.equal(status.INVALID_ARGUMENT);
    const twoSpools = agent.results();
    twoSpools.send(1, 1);
    twoSpools.call.write({ firstSequence: 2n, spoolId: 'another', results: [] });
    expect((await twoSpools.ended()).code).to.equal(status.INVALID_ARGUMENT);
  });
});

async function metric(service: FleetService, name: string, expected: number): Promise<void> {
  await eventually(
    `${name} = ${expected}`,
    async () => ((await value(service, name)) === expected ? true : undefined),
    PATIENCE_MS,
    5,
  );
}

async function value(service: FleetService, name: string): Promise<number | undefined> {
  return (await service.registry.getSingleMetric(name)!.get()).values[0]?.value;
}
