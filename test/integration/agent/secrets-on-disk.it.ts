import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AgentHome } from '../../support/agent-process.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { httpCheck, ScriptedControlPlane } from '../../support/scripted-control-plane.js';
import type { Behaviour } from '../../support/target-server.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.js';

const BASIC = 'basic-geheim';
const HEADER = 'header-geheim';
const VARIABLE = 'va"riable-geheim';
const EXTRACTED = 'extracted-geheim';

describe('the disk of an agent', function () {
  let plane: ScriptedControlPlane;
  let home: AgentHome;
  let target: Target;
  let endpoint: TokenEndpoint;

  beforeEach(async () => {
    plane = new ScriptedControlPlane();
    await plane.start();
    home = new AgentHome({ CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}` });
    endpoint = await startTokenEndpoint();
    // It echoes all that it gets, fails, and so fills the spool with evidence.
    const echo: Behaviour = ({ request: { path, headers, body }, socket }) => {
      const text = JSON.stringify({ token: EXTRACTED, path, headers, body: body.toString() });
      const head = `X-Echo: ${headers.authorization}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
      socket.end(`HTTP/1.1 ${path.startsWith('/use') ? '500 Oops' : '200 OK'}\r\n${head}\r\n\r\n${text}`);
    };
    target = await startTarget({ behaviour: echo });
  });
  afterEach(async () => {
    await home.dispose();
    plane.stop();
    await Promise.all([target.close(), endpoint.close()]);
  });

  const contentOf = (folder: string): Buffer =>
    Buffer.concat(
      readdirSync(folder).map((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? contentOf(path) : readFileSync(path);
      }),
    );
  const expectNoSecret = () => {
    const content = contentOf(home.folder);
    expect(content.includes('/use'), 'evidence of the check is there').to.equal(true);
    const secrets = ['client-geheim', BASIC, HEADER, VARIABLE, EXTRACTED, 'wpa_test', ...endpoint.given];
    for (const secret of secrets)
      for (const form of [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        ...['', 'robot:', ':'].map((before) =>
          Buffer.from(before + secret)
            .toString('base64')
            .replace(/=+$/, ''),
        ),
      ])
        expect(content.includes(form), form).to.equal(false);
  };

  it('has no token and no secret of a site in clear, while it checks, after it is killed, and after its next start', async () => {
    const auth = {
      tokenUrl: endpoint.tokenUrl,
      clientId: 'robot',
      clientSecret: 'client-geheim',
      scopes: [],
      audience: null,
    };
    const steps = [
      {
        name: 'use',
        url: `${target.url}/use?p={{password}}&t={{token}}`,
        method: 'POST',
        headers: [{ name: 'X-Api-Key', value: HEADER }],
        body: '{"password":"{{password}}","token":"{{token}}"}',
        auth: { type: 'basic', username: 'robot', password: BASIC },
      },
    ];
    const json = {
      url: `${target.url}/own`,
      headers: [{ name: 'X-Api-Key', value: HEADER }],
      auth: { type: 'oauth2ClientCredentials', ...auth },
      variables: [{ name: 'password', value: VARIABLE, secret: true }],
      extract: [{ name: 'token', from: 'json', expression: '$.token', secret: true }],
      steps,
    };
    plane.holdAcks = true;
    plane.checks = [httpCheck(1, '', { target: JSON.stringify(json) })];
    for (let start = 0; start < 2; start++) {
      const before = plane.received.length;
      const agent = home.start();
      await eventually('results', () => plane.received.length >= before + 3 || undefined, PATIENCE_MS, 20);
      expect(target.requests.at(-1)!.path).to.include(EXTRACTED);
      expectNoSecret();
      agent.kill('SIGKILL');
      await agent.ended(60_000);
      expectNoSecret();
      expect(agent.output()).to.not.include('geheim');
    }
    expect(endpoint.given).to.not.have.length(0);
  });
});
