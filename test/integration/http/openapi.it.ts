import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startSampleService, type SampleService } from './sample-service.js';

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        security: object[];
        parameters?: object[];
        responses: Record<string, { content?: object; headers: object }>;
      }
    >
  >;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

// Overlap is meant: `/members/me` goes before `/members/{memberId}`.
const LINT_CONFIG = 'extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n';

describe('the OpenAPI description', () => {
  let database: TestDatabase;
  let service: SampleService;
  let document: Document;
  before(async () => {
    database = await createTestDatabase();
    service = await startSampleService(database.database);
    document = (await service.call('GET', '/swagger/v1/swagger.json', { token: null })).json as unknown as Document;
  });
  after(async () => {
    await service?.close();
    await database?.drop();
  });

  it('names every route, with its scopes and the headers that apply', () => {
    expect(document.openapi).to.equal('3.1.0');
    const create = document.paths['/api/v1/notes']!['post']!;
    expect(create.operationId).to.equal('createNote');
    expect(create.security).to.deep.equal([
      { oauth2: ['monitor.write'] },
      { bearer: ['monitor.write'] },
      { apiKey: ['monitor.write'] },
    ]);
    expect(create.parameters).to.deep.include.members([
      { $ref: '#/components/parameters/IdempotencyKey' },
      { $ref: '#/components/parameters/WorkspaceId' },
    ]);
    expect(document.paths['/api/v1/notes/{id}']!['patch']!.parameters).to.deep.include({
      $ref: '#/components/parameters/IfMatch',
    });
    expect(document.paths['/api/v1/notes']!['get']!.responses['200']!.headers).to.include.keys('X-Total-Count', 'Link');
    expect(document.paths['/health']!['get']!.security).to.deep.equal([]);
    expect(document.components.schemas).to.include.keys('Error', 'SampleNote', 'SampleNoteBody');
  });

  it('names the errors of each route', () => {
    const { responses } = document.paths['/api/v1/notes']!['post']!;
    expect(Object.keys(responses)).to.include.members([
      '201',
      '400',
      '401',
      '403',
      '406',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(JSON.stringify(responses['409'])).to.include('slug_taken').and.include('idempotency_conflict');
  });

  it('is what its readers can use: lint finds nothing', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      await writeFile(join(folder, 'redocly.yaml'), LINT_CONFIG);
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [
          join(process.cwd(), 'node_modules/@redocly/cli/bin/cli.js'),
          'lint',
          join(folder, 'openapi.json'),
          '--config',
          join(folder, 'redocly.yaml'),
          '--format',
          'json',
        ],
        {
          env: {
            PATH: process.env['PATH'],
            HOME: folder,
            REDOCLY_TELEMETRY: 'off',
            REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
          },
        },
      ).catch((error: { stdout: string; stderr: string }) => error);
      const { problems } = JSON.parse(stdout || `{"problems":[${JSON.stringify(stderr)}]}`) as { problems: object[] };
      expect(problems).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('can be read as a page without scripts and without anything from elsewhere', async () => {
    const page = await service.call('GET', '/swagger', { token: null });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.text)
      .to.include('/api/v1/notes/{id}')
      .and.include('Idempotency-Key')
      .and.not.match(/<script|src=|https?:\/\/(?!issuer\.example|watch\.example)/);
  });

  it('is led to from the bare address, which people open first', async () => {
    const home = await service.call('GET', '/', { token: null });
    expect([home.status, home.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(home.text).to.include('href="/swagger"').and.not.include('/mailbox');
  });

  it('is sent once to who has it', async () => {
    const tag = (await service.call('GET', '/swagger/v1/swagger.json', { token: null })).headers.get('etag')!;
    expect(
      (await service.call('GET', '/swagger/v1/swagger.json', { token: null, headers: { 'if-none-match': tag } }))
        .status,
    ).to.equal(304);
  });
});
