import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Role } from '@watchpost/control-plane/platform/identity/caller';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { expectFits, expectNoComplaints, openVisit, settled, startConsole, type Visit } from '../../support/console.js';
import { makeWorld, type World } from '../../support/seed.js';
import { change, openIncident, seedGroup, seedWatched, timelineOf } from '../../support/seed-alerts.js';
import { startedForSuite } from '../../support/suite.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';

const PHONE = { width: 390, height: 844 };

describeInBrowser('the link of a message that acknowledges, on a phone and by keyboard (Chromium)', () => {
  const stage = startedForSuite(() => startConsole({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } }));
  const chat = startedForSuite(() => startWebhookReceiver());
  let world: World;
  let visit: Visit;
  let page: Page;
  let incidentId: string;
  let link: string;

  /** An incident, and the link in the message about it. */
  beforeEach(async () => {
    world = await makeWorld(stage.app);
    chat.calls.length = 0;
    const webhookUrl = `${chat.url}/services/T0/B0/abcdefghijkl`;
    incidentId = await openIncident(
      world,
      await seedWatched(world, (await seedGroup(world, 'slack', { webhookUrl })).id),
    );
    await stage.app.plane.delivery.runDue();
    link = /"(http[^"]+\/console\/w\/[^"]+)"/.exec(chat.calls[0]!.body)![1]!;
  });
  afterEach(async () => {
    if (!visit) return;
    expectNoComplaints(visit);
    await visit.close();
  });

  /** Follows the link as somebody whose browser knows nobody, and signs in. */
  async function follow(role: Role): Promise<void> {
    visit = await openVisit(stage.browser, `${stage.app.baseUrl}/console/w/${world.workspaceId}`, PHONE);
    ({ page } = visit);
    stage.app.issuer.person = { sub: (await world.member(role)).sub };
    await page.goto(link);
    const signIn = page.getByRole('link', { name: 'Sign in' }).first();
    await signIn.waitFor();
    await press(/^Sign in/);
    await settled(page);
    await page.waitForURL(link);
    await page.getByRole('heading', { level: 1, name: /Shop/ }).waitFor();
    await expectFits(page);
  }

  /** Moves the focus by Tab to what has this name, and presses Enter. */
  async function press(name: RegExp): Promise<void> {
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate<string>(
        `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText ?? '').trim()`,
      );
      if (name.test(text)) return page.keyboard.press('Enter');
    }
    throw new Error(`Tab does not reach ${name.source}`);
  }

  const acknowledge = () => page.getByRole('button', { name: 'Acknowledge', exact: true });
  const incident = async () => (await world.api('GET', `/api/v1/incident/${incidentId}`)).body;

  it('leads a Responder through signing in to the incident, which one key acknowledges, once', async () => {
    await follow('Responder');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await press(/^Acknowledge$/);
    await acknowledge().waitFor({ state: 'detached' });
    expect(await incident()).to.include({
      acknowledged: true,
      acknowledgedBy: (await world.member('Responder')).userId,
    });
    await page.goto(link);
    await settled(page);
    await page.getByText('Acknowledged by').first().waitFor();
    expect(await acknowledge().count(), 'it is done').to.equal(0);
    const acknowledged = (await timelineOf(world, incidentId)).filter(({ type }) => type === 'acknowledged');
    expect(acknowledged).to.have.length(1);
  });

  it('shows a Viewer the incident, and nothing that would be refused', async () => {
    await follow('Viewer');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(await acknowledge().count()).to.equal(0);
    expect(await incident()).to.include({ acknowledged: false });
  });

  it('shows that an incident is over, which nobody has to acknowledge', async () => {
    await change(world, incidentId, { kind: 'recover' });
    await follow('Responder');
    await page
      .getByText(/Resolved|was down|over/)
      .first()
      .waitFor();
    expect(await acknowledge().count()).to.equal(0);
  });

  it('shows who was faster, where two follow it', async () => {
    await follow('Responder');
    await acknowledge().waitFor();
    expect((await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true })).status).to.equal(200);
    await page.getByText('Acknowledged by').first().waitFor();
    expect(await acknowledge().count()).to.equal(0);
    expect(await incident()).to.include({ acknowledgedBy: world.owner.userId });
  });
});
