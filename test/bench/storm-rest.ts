import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import type { Product } from '../support/product.js';
import type { StormWorkspace } from './storm-world.js';

interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  workspace: StormWorkspace;
}

/** A steady load of reads and writes by owners whose sites fail, until it is stopped. */
export class StormRest {
  readonly times: number[] = [];
  /** Answers other than 2xx, by status. */
  readonly failures = new Map<number | string, number>();
  readonly #http = new Agent({ keepAlive: true });
  readonly #tokens = new Map<string, string>();
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(
    private readonly product: Product,
    private readonly workspaces: readonly StormWorkspace[],
    private readonly perSecond: number,
  ) {}

  async start(): Promise<void> {
    for (const { owner } of this.workspaces) {
      const claims = { email: `${owner}@example.test`, email_verified: true };
      const token =
        this.#tokens.get(owner) ?? (await this.product.issuer.token({ sub: owner, expiresIn: 3_600, claims }));
      this.#tokens.set(owner, token);
    }
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#http.destroy();
  }

  async #run(): Promise<void> {
    const open: Promise<void>[] = [];
    const startedMs = performance.now();
    for (let index = 0; !this.#stopped; index++) {
      open.push(this.#time(this.#call(index)));
      const waitMs = startedMs + ((index + 1) * 1_000) / this.perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
    }
    await Promise.all(open);
  }

  #call(index: number): Call {
    const workspace = this.workspaces[index % this.workspaces.length]!;
    const { id } = workspace.monitors[index % workspace.monitors.length]!;
    const calls: Omit<Call, 'workspace'>[] = [
      { method: 'GET', path: '/monitor' },
      { method: 'GET', path: '/incident' },
      { method: 'GET', path: `/monitor/${id}` },
      // A threshold of the verdict waits for the batch that holds the series of the monitor; a name does not.
      {
        method: 'PUT',
        path: `/monitor/${id}`,
        body: index % 2 === 0 ? { name: `Renamed ${index}` } : { latency: { thresholdMs: 2_001 + (index % 10_000) } },
      },
      { method: 'POST', path: '/service-group', body: { name: `Group ${index}` } },
    ];
    return { ...calls[index % calls.length]!, workspace };
  }

  #time({ method, path, body, workspace }: Call): Promise<void> {
    const startedMs = performance.now();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const fail = (status: number | string): void => {
      this.failures.set(status, (this.failures.get(status) ?? 0) + 1);
    };
    return new Promise((resolve) => {
      const sent = request(
        `${this.product.baseUrl}/api/v1${path}`,
        {
          method,
          agent: this.#http,
          timeout: 30_000,
          headers: {
            authorization: `Bearer ${this.#tokens.get(workspace.owner)}`,
            'x-workspace-id': workspace.id,
            ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          },
        },
        (response) => {
          response.resume();
          response.once('end', () => {
            this.times.push(performance.now() - startedMs);
            if (response.statusCode! >= 300) fail(response.statusCode!);
            resolve();
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('timeout')));
      sent.once('error', (error) => {
        this.times.push(performance.now() - startedMs);
        fail(error.message);
        resolve();
      });
      sent.end(text);
    });
  }
}
