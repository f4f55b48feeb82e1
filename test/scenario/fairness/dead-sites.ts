import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { percentile, printFairnessFigure } from '../../support/fairness-figure.js';
import { freePort } from '../../support/free-port.js';
import { startProduct, type Product } from '../../support/product.js';
import { create, createMonitors } from '../../support/seed.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

const WORKSPACES_OF_AN_OWNER = 4;
const TURNS = 3;
/** The trust in a region is decided every two seconds. */
const JUDGEMENTS_MS = 7_000;

export interface DeadSitesOptions {
  /** How many sites are dead, of how many owners. */
  sites: number;
  owners: number;
  /** Owners with a healthy site each, already before the attack. */
  bystanders: number;
}

/** One real agent that checks the sites of a victim and of owners whose sites are all dead. */
export class DeadSites {
  private product!: Product;
  private target!: Target;
  private healthy!: Target;

  async start(): Promise<void> {
    [this.product, this.target, this.healthy] = await Promise.all([
      startProduct(),
      startTarget({ behaviour: answer() }),
      startTarget({ behaviour: answer() }),
    ]);
    const { token } = await this.product.createAgent('northeurope', 'home');
    this.product.startAgent({ name: 'home', token });
  }

  async stop(): Promise<void> {
    await this.product?.stop();
    await this.target?.close();
    await this.healthy?.close();
  }

  /** Measures how long the victim's incidents take before and while the dead sites are checked by the same agent. */
  async measure({ sites, owners, bystanders }: DeadSitesOptions): Promise<void> {
    for (let owner = 0; owner < bystanders; owner++)
      await createMonitors(this.product.apiAs(`bystander-${owner}`), [
        { name: 'healthy', url: `${this.healthy.url}/${owner}`, checkInterval: 'PT1M' },
      ]);
    const before = await this.outagesMs();
    await this.addDeadSites(sites, owners);
    const during = await this.outagesMs();
    expect(JSON.parse(await this.product.admin('notices', '--json')), 'no region is suspect').to.deep.equal([]);
    const figure = (values: readonly number[]) => percentile(values, 0.5);
    const all = owners + bystanders + 1;
    printFairnessFigure({
      attack: 1,
      measure: `incident after a received 500, beside ${sites} dead sites of ${owners} owners (${all} in all), median of ${TURNS}, ms`,
      before: figure(before),
      during: figure(during),
      limit: 'there is one, and no suspect region',
    });
  }

  private async addDeadSites(sites: number, owners: number): Promise<void> {
    const port = await freePort();
    const each = Math.ceil(sites / owners / WORKSPACES_OF_AN_OWNER);
    let made = 0;
    for (let owner = 0; owner < owners; owner++) {
      const api = this.product.apiAs(`hostile-${owner}`);
      const { id: userId } = (await api('GET', '/api/v1/user')).body;
      await create(api, `/api/v1/user/${userId}/trial`, { plan: 'Enterprise' }, 'PUT');
      for (let number = 0; number < WORKSPACES_OF_AN_OWNER; number++) {
        const workspace = await create(api, '/api/v1/workspaces', { name: `hostile ${number}` });
        const monitors = Array.from({ length: each }, () => {
          // Each address counts as a separate site and network.
          const url = `http://127.${10 + Math.floor(made / 250)}.${made++ % 250}.1:${port}/`;
          return { name: url, url, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
        });
        await createMonitors(api, monitors, { 'x-workspace-id': workspace.id });
      }
    }
    await eventually(
      'all of them fail or the region is suspect',
      async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${this.product.metricsPort}/metrics`)).text();
        const value = (name: string) =>
          Number(new RegExp(`^${name}\\{region="northeurope"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
        return value('watchpost_region_failing_checks') >= sites || value('watchpost_region_suspect') > 0 || undefined;
      },
      120_000,
      200,
    );
    await new Promise((resolve) => setTimeout(resolve, JUDGEMENTS_MS));
  }

  /** @returns the time from the failing answer to the incident, of one monitor after the other; at most 40 s, or it throws */
  private async outagesMs(): Promise<number[]> {
    const tookMs: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      this.target.behave(answer());
      const { id } = await create(this.product.api, '/api/v1/monitor', {
        name: 'shop',
        url: this.target.url,
        checkInterval: 'PT1M',
        numberOfChecksBeforeAlert: 1,
      });
      const monitor = async () => (await this.product.api('GET', `/api/v1/monitor/${id}`)).body;
      const isHealthy = async () => (await monitor()).healthStatus === 'available' || undefined;
      await eventually('the victim is available', isHealthy, 60_000, 50);
      this.target.behave(answer({ status: 500 }));
      const asked = this.target.requests.length;
      // An edited monitor is checked at once.
      await create(this.product.api, `/api/v1/monitor/${id}`, { http: { headers: { 'x-edit': '1' } } }, 'PUT');
      const hasIncident = async () => (await monitor()).latestIncident !== null || undefined;
      await eventually('the outage of the victim opens an incident', hasIncident, 40_000, 50);
      tookMs.push(Date.now() - this.target.requests[asked]!.at);
      expect((await this.product.api('DELETE', `/api/v1/monitor/${id}`)).status).to.equal(204);
    }
    return tookMs;
  }
}
