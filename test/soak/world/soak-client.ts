import pg from 'pg';
import { callApi } from '../../support/call-api.js';
import { eventually } from '../../support/eventually.js';
import type { TestIssuer } from '../../support/issuer.js';
import type { ApiResponse } from '../../support/product.js';

const OWNER = 'user-1';

export interface SoakClientOptions {
  issuer: TestIssuer;
  /** Of the control planes. */
  ports: readonly number[];
  /** Of the present primary. */
  databaseUrl(): string;
}

/** Uses the product over REST as one user, and looks into its database. */
export class SoakClient {
  private turn = 0;

  constructor(private readonly options: SoakClientOptions) {}

  /** One request to one of the control planes in turn. @throws where it is not answered within 10 s */
  async callOnce<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<Body>> {
    const claims = { email: `${OWNER}@example.test`, email_verified: true };
    const authorization = `Bearer ${await this.options.issuer.token({ sub: OWNER, claims })}`;
    const { ports } = this.options;
    const port = ports[this.turn++ % ports.length];
    const call = callApi(`http://127.0.0.1:${port}${path}`, method, body, { authorization, ...headers });
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`${method} ${path} was not answered`)), 10_000).unref();
    });
    return (await Promise.race([call, late])) as ApiResponse<Body>;
  }

  /** The same until it is answered without a server error, for four minutes. */
  async call<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<Body>> {
    return await eventually(
      `${method} ${path}`,
      async () => {
        const answer = await this.callOnce<Body>(method, path, body, headers);
        return answer.status < 500 && answer.status !== 429 ? answer : undefined;
      },
      240_000,
    );
  }

  /** Reads from the present primary. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.options.databaseUrl(),
      connectionTimeoutMillis: 30_000,
      query_timeout: 120_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
