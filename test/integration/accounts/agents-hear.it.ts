import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startProduct, type Api, type Product } from '../../support/product.js';
import { AgentClient } from '../fleet/agent-client.js';

describe('Agents hear what an owner may no longer have', function () {
  let product: Product;
  let home: AgentClient;
  let virginia: AgentClient;
  let api: Api;
  let userId: string;
  const monitors: string[] = [];

  before(async () => {
    product = await startProduct();
    const [one, other] = [await product.createAgent('northeurope', 'h'), await product.createAgent('eastus2', 'v')];
    home = new AgentClient(product.grpcPort, one.token).connect();
    virginia = new AgentClient(product.grpcPort, other.token).connect();
    api = product.apiAs('owner');
    userId = (await api('GET', '/api/v1/user')).body.id;
    await setPlan('Growth');
    for (let n = 0; n < 3; n++) {
      const body = { url: `https://m${n}.example/`, enabledRegions: ['eastus2'] };
      const { status, body: made } = await api('POST', '/api/v1/monitor', body);
      expect(status, JSON.stringify(made)).to.equal(201);
      monitors.push(made.id);
    }
    await has(3, 3);
  });
  after(async () => {
    home.disconnect();
    virginia.disconnect();
    await product.stop();
  });

  const setPlan = (plan: string, ...more: string[]) =>
    product.admin('set-plan', '--user', 'owner@example.test', '--plan', plan, ...more);

  /** Waits until the two agents have so many checks. */
  async function has(atHome: number, inVirginia: number): Promise<void> {
    await eventually(
      `${atHome} checks at home and ${inVirginia} in Virginia`,
      () => (home.checks.size === atHome && virginia.checks.size === inVirginia ? true : undefined),
      PATIENCE_MS,
      5,
    );
  }

  it('when the operator gives a smaller plan, from a process of its own', async () => {
    await setPlan('Starter', '--limit', 'monitors=2');
    await has(2, 0);
    expect((await api('GET', `/api/v1/monitor/${monitors[2]}`)).body.monitoringStatus).to.equal('paused');
  });

  it('when a trial begins', async () => {
    const { status } = await api('PUT', `/api/v1/user/${userId}/trial`, { plan: 'Growth' });
    expect(status).to.equal(200);
    await has(2, 2);
  });

  it('when a workspace changes hands', async () => {
    const { body: workspace } = await api('POST', '/api/v1/workspaces', { name: 'Acme' });
    const path = `/api/v1/workspaces/${workspace.id}`;
    await setPlan('Growth');
    const body = { url: 'https://shared.example/', enabledRegions: ['eastus2'] };
    await api('POST', '/api/v1/monitor', body, { 'x-workspace-id': workspace.id });
    await has(3, 3);
    const heir = product.apiAs('heir');
    await heir('GET', '/api/v1/user');
    const { body: invitation } = await api('POST', `${path}/invitations`, {
      email: 'heir@example.test',
      role: 'Admin',
    });
    expect(invitation.link).to.match(new RegExp(`^${product.baseUrl}/invitations/accept\\?token=`));
    await heir('POST', '/api/v1/invitations/accept', { token: new URL(invitation.link).searchParams.get('token') });
    const { body: members } = await api('GET', `${path}/members`);
    const memberId = members.find(({ role }: { role: string }) => role === 'Admin').id;
    expect((await api('POST', `${path}/transfer-ownership`, { memberId })).status).to.equal(200);
    await has(3, 2);

    expect((await heir('DELETE', path)).status).to.equal(204);
    await has(2, 2);
  });

  it('when an account is deleted', async () => {
    expect((await api('DELETE', `/api/v1/user/${userId}`)).status).to.equal(204);
    await has(0, 0);
  });
});
