import { expect } from 'chai';
import { HOUR_MS } from '@watchpost/shared/time';
import { create, makeWorld, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach, worldForSuite } from '../../support/suite.js';
import { seedOutage, seedWatched } from './seed-evidence.js';

describe('The evidence of an incident over REST', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  it('has the verdict of each region, the failing attempts and the timeline in sentences, as its document has', async () => {
    const watched = await seedWatched(world);
    const incidentId = await seedOutage(world, watched);
    await create(world.api, `/api/v1/incident/${incidentId}/notes`, { note: 'Rolled back.' });
    const { body } = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    expect(body.regions.map((one: { region: string; verdict: string }) => [one.region, one.verdict])).to.deep.equal([
      ['northeurope', 'fine'],
      ['eastus2', 'failing'],
      ['southeastasia', 'failing'],
    ]);
    expect(body.failures).to.have.length(2);
    expect(body.failures[0]).to.include({
      region: 'eastus2',
      statusCode: 503,
      summary: 'The response was not as expected.',
    });
    expect(body.failures[0].timings).to.include({ dns: 12.4, firstByte: 218 });
    expect(body.secondOpinions[0]).to.include({ region: 'westus3', outcome: 'down' });
    const sentences = body.timeline.map(({ sentence }: { sentence: string }) => sentence);
    expect(sentences[0]).to.match(/^The incident opened\./);
    expect(sentences.at(-1)).to.match(/ added a note\.$/);
    expect(body.people.map(({ userId }: { userId: string }) => userId)).to.deep.equal([world.owner.userId]);

    const { body: link } = await world.api('POST', `/api/v1/incident/${incidentId}/evidence-links`);
    const page = await (await fetch(link.url)).text();
    for (const sentence of sentences.slice(0, 3)) expect(page).to.include(sentence);
    const foreign = await makeWorld(app);
    expect((await foreign.api('GET', `/api/v1/incident/${incidentId}/evidence`)).status).to.equal(404);

    await create(world.api, `/api/v1/monitor/${watched.id}`, undefined, 'DELETE');
    const { body: left } = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    expect([left.regions, left.failures.length], 'the verdicts need the monitor').to.deep.equal([[], 2]);
  });

  it('is passed on by one link, until that is revoked', async () => {
    const incidentId = await seedIncident(world, (await seedMonitor(world)).id);
    const path = `/api/v1/incident/${incidentId}/evidence-links`;
    const share = async () => (await world.api<{ url: string; channel: string }>('POST', path)).body;
    const first = await share();
    expect(first.channel).to.equal('any');
    expect((await fetch(first.url)).status).to.equal(200);
    expect((await share()).url).to.equal(first.url);
    expect((await world.api('GET', path)).body).to.have.length(1);
    expect((await (await makeWorld(app)).api('POST', path)).status).to.equal(404);
    expect((await (await world.member('Viewer')).api('POST', path)).status).to.equal(403);
    expect((await world.api('DELETE', path)).status).to.equal(204);
    expect((await fetch(first.url)).status).to.equal(404);
    const second = await share();
    expect(second.url).to.not.equal(first.url);
    expect((await fetch(second.url)).status).to.equal(200);
  });
});

describe('The list of incidents', () => {
  const app = appForSuite();
  const world = worldForSuite(app);

  it('is sorted by how bad they are, and searched by monitor and cause', async () => {
    const ids: string[] = [];
    for (const name of ['Shop', 'Blog', 'Wiki', 'Mail']) {
      const { id } = await seedMonitor(world, { name });
      ids.push(await seedIncident(world, id));
      app.clock.set(app.clock.now() + HOUR_MS);
    }
    const [shop, blog, wiki, mail] = ids;
    const set = (id: string, change: string) => app.sql(`UPDATE incident SET ${change} WHERE id = $1`, [id]);
    await set(blog!, `severity = 'partial', monitor_name = 'Blog'`);
    await set(wiki!, 'acknowledged = true');
    await set(mail!, 'ended = now()');
    const idsOf = async (query: string) =>
      (await world.api<{ id: string }[]>('GET', `/api/v1/incident?${query}`)).body.map(({ id }) => id);
    expect(await idsOf('sort=severity')).to.deep.equal([shop, wiki, blog, mail]);
    expect(await idsOf('sort=severity&pageSize=2&page=2')).to.deep.equal([blog, mail]);
    expect(await idsOf('sort=-started')).to.deep.equal([mail, wiki, blog, shop]);
    expect(await idsOf('search=BLO')).to.deep.equal([blog]);
    expect(await idsOf('search=refused%20the')).to.have.length(4);
    expect(await idsOf('search=%25')).to.deep.equal([]);
    expect((await world.api('GET', '/api/v1/incident?sort=worst')).status).to.equal(400);
    await set(mail!, `ended = '2026-01-01T00:00:00Z'`);
    expect(await idsOf('endedAfter=2025-12-31T23:59:59Z')).to.deep.equal([mail, wiki, blog, shop]);
    expect(await idsOf('endedAfter=2026-01-01T00:00:00Z')).to.deep.equal([wiki, blog, shop]);
  });
});
