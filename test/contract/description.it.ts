import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { countCases } from './case-count.js';
import { app, description, SUBJECTS } from './subject.js';

type Described = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
};

/** Routes of the HTTP server itself, beside those of the slices. */
const SHELL = [
  'GET /',
  'GET /.well-known/mcp.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/security.txt',
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /swagger',
  'GET /swagger/v1/swagger.json',
];
// The overlap is intended: `/members/me` precedes `/members/{memberId}`.
const LINT_CONFIG = 'extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n';

const described = new Map<string, Described>(
  Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Described>).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  ),
);

describe('the OpenAPI description', () => {
  it('contains every route and no other', () => {
    const served = SUBJECTS.map(({ title }) => title);
    countCases(served.length);
    expect([...described.keys()].filter((title) => !SHELL.includes(title))).to.have.members(served);
    expect([...described.keys()]).to.include.members(SHELL);
  });

  it('names the issuer of tokens and their scopes', () => {
    const schemes: object = description.components?.securitySchemes ?? {};
    const { oauth2 } = schemes as Record<string, Record<string, unknown>>;
    expect(oauth2).to.have.property('type', 'oauth2');
    const flows = oauth2!['flows'] as Record<string, { tokenUrl: string; scopes: Record<string, string> }>;
    for (const flow of ['authorizationCode', 'clientCredentials']) {
      expect(flows[flow]?.tokenUrl).to.equal(`${app.issuer.issuer}/token`);
      expect(flows[flow]?.scopes).to.include.keys('monitor.admin', 'monitor.write', 'account.read', 'account.write');
    }
  });

  for (const { title, route } of SUBJECTS) {
    it(`${title}: its scopes, parameters, body and refusals are described`, () => {
      const operation = described.get(title)!;
      expect(operation.operationId).to.equal(route.operationId);
      if (route.scopes !== 'anonymous') {
        const scopes = new Set(operation.security.flatMap((one) => Object.values(one).flat()));
        expect([...scopes]).to.have.members([...route.scopes]);
        expect(operation.responses).to.include.keys('400', '401', '403', '406', '429', '500', '503');
      } else expect(operation.security).to.deep.equal([]);
      if (route.body) expect(operation.responses).to.include.keys('413', '415');
      if (route.path.includes('{')) expect(operation.responses).to.include.keys('404');
      countCases();
    });
  }

  it('passes the linter of Redocly', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(description));
      await writeFile(join(folder, 'redocly.yaml'), LINT_CONFIG);
      const command = join(process.cwd(), 'node_modules/@redocly/cli/bin/cli.js');
      const files = [join(folder, 'openapi.json'), '--config', join(folder, 'redocly.yaml')];
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      };
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [command, 'lint', ...files, '--format', 'json'],
        { env },
      ).catch((error: { stdout: string; stderr: string }) => error);
      const { problems } = JSON.parse(stdout || `{"problems":[${JSON.stringify(stderr)}]}`) as { problems: object[] };
      expect(problems).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
