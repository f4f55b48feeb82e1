import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Metadata, Server as GrpcServer, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { wireContract } from '../../support/wire-contract.js';

interface FormerResult {
  key: { monitorKey: number; kind: string };
  outcome: string;
  statusCode: number;
  message: string;
}
interface FormerMessage {
  hello?: { capabilities: string[]; protocolVersion: number };
  revisionAck?: { revision: number };
  firstSequence: number;
  results: FormerResult[];
}

describe('an agent of this version at a control plane of the former one', () => {
  const plane = new GrpcServer();
  const messages: FormerMessage[] = [];
  const results: FormerResult[] = [];
  let home: AgentHome;
  let target: Server;

  before(async () => {
    target = createServer((_, response) => response.end('fine'));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    plane.addService(wireContract('former').service, {
      pullAssignments(call: ServerDuplexStream<FormerMessage, object>) {
        call.on('data', (message: FormerMessage) => {
          messages.push(message);
          if (message.hello) for (const answer of welcomeTo(url)) call.write({ serverTimeMs: Date.now(), ...answer });
        });
        call.on('end', () => call.end());
      },
      streamResults(call: ServerDuplexStream<FormerMessage, object>) {
        call.sendMetadata(new Metadata());
        call.on('data', (batch: FormerMessage) => {
          results.push(...batch.results);
          call.write({ throughSequence: batch.firstSequence + batch.results.length - 1 });
        });
        call.on('end', () => call.end());
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      plane.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    home = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${port}` });
  });
  after(async () => {
    await home.dispose();
    plane.forceShutdown();
    target.closeAllConnections();
    target.close();
  });

  it('runs its checks and reports results that the former version understands', async () => {
    const agent = home.start();
    await eventually('results', () => results.length >= 3 || undefined, PATIENCE_MS, 20);
    expect(messages[0]!.hello).to.deep.include({ protocolVersion: 1 });
    expect(messages.some(({ revisionAck }) => revisionAck?.revision === 7)).to.equal(true);
    for (const result of results) {
      expect(result.key).to.deep.include({ monitorKey: 5, kind: 1 });
      expect(result).to.include({ outcome: 'OUTCOME_KIND_UP', statusCode: 200 });
    }
    const health = (await (await home.ask(agent, '/health')).json()) as Record<string, unknown>;
    expect(health).to.include({ status: 'ok', checks: 1 });
  });
});

function welcomeTo(url: string): object[] {
  const key = { monitorKey: 5, kind: 1 };
  const target = JSON.stringify({ url, expectedStatus: [{ from: 200, to: 299 }] });
  const checks = [{ key, intervalMs: 1_000, timeoutMs: 900, phaseMs: 0, changedAtMs: 1_763_000_000_000, target }];
  return [
    {
      welcome: {
        agentId: 'agent-1',
        region: 'northeurope',
        protocolVersion: 1,
        settings: { heartbeatMs: 500, maxBatchResults: 500 },
      },
    },
    { snapshot: { revision: 7, epoch: '1', index: 0, last: true, checks } },
  ];
}
