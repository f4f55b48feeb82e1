import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { createServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/create-service-group';
import { deleteMonitor } from '@watchpost/control-plane/capabilities/monitors/delete-monitor';
import { deleteServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/delete-service-group';
import { getMonitor } from '@watchpost/control-plane/capabilities/monitors/get-monitor';
import { restoreServiceGroup } from '@watchpost/control-plane/capabilities/monitors/service-groups/restore-service-group';
import { createPost } from '@watchpost/control-plane/capabilities/status-pages/create-post';
import { createStatusPage } from '@watchpost/control-plane/capabilities/status-pages/create-status-page';
import { deletePost, updatePost } from '@watchpost/control-plane/capabilities/status-pages/update-post';
import { deleteStatusPage } from '@watchpost/control-plane/capabilities/status-pages/delete-status-page';
import { getPost, listPosts } from '@watchpost/control-plane/capabilities/status-pages/read-posts';
import {
  getStatusPage,
  type StatusPageDeps,
} from '@watchpost/control-plane/capabilities/status-pages/read-status-pages';
import { updateStatusPage } from '@watchpost/control-plane/capabilities/status-pages/update-status-page';
import { postCreateSchema, postPatchSchema } from '@watchpost/control-plane/capabilities/status-pages/post-schemas';
import {
  statusPageCreateSchema,
  statusPageUpdateSchema,
} from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { faultOf, monitorDeps, NOON, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from '../monitors/seed.js';
import { databaseForSuite } from '../../support/suite.js';

describe('status pages', () => {
  const test = databaseForSuite({ poolSize: 20 });
  let monitors: TestMonitorDeps;
  let deps: StatusPageDeps;
  let changed: string[];
  let actor: Actor;

  beforeEach(async () => {
    monitors = monitorDeps(test.database);
    changed = [];
    deps = { db: test.database, clock: monitors.clock, onPageChanged: (slug) => void changed.push(slug) };
    actor = await seedActor(test.database);
  });

  const freshSlug = () => `acme-${newId(NOON)}`;
  const monitor = async (body: object = {}, by = actor) =>
    (await createMonitor(monitors, by, schemas.create.parse({ url: URL_OF_SHOP, ...body }))).monitor.id;
  const group = async (by = actor) => (await createServiceGroup(monitors, by, { name: 'Shop', hostname: null })).id;
  const create = (body: object = {}, by = actor) =>
    createStatusPage(deps, by, statusPageCreateSchema.parse({ name: 'Acme', slug: freshSlug(), ...body }));
  const update = (id: string, body: object, by = actor) =>
    updateStatusPage(deps, by, id, statusPageUpdateSchema.parse(body));
  const showing = (...systems: object[]) => ({
    groups: [{ name: 'All', systems: systems.map((system, index) => ({ name: `System ${index}`, ...system })) }],
  });
  const get = (id: string) => getStatusPage(deps, actor, id);

  it('keep what they are given, in order, and forget it when they are deleted', async () => {
    const [monitorId, serviceGroupId] = [await monitor(), await group()];
    const systems = [
      { name: 'Payments', serviceGroupId, overrideStatus: 'maintenance', overrideMessage: 'Back at noon.' },
      { name: 'Shop', monitorId },
    ];
    const page = await create({
      slug: 'acme-shop',
      groups: [
        { name: 'Sites', systems },
        { name: 'Nothing yet', systems: [] },
      ],
    });
    expect(page).to.deep.include({ isPublished: false, theme: 'auto', banner: null, description: '' });
    expect(page.groups.map(({ name }) => name)).to.deep.equal(['Sites', 'Nothing yet']);
    expect(page.groups[0]!.systems.map(({ id: _, ...system }) => system)).to.deep.equal([
      { ...systems[0], monitorId: null },
      { name: 'Shop', monitorId, serviceGroupId: null, overrideStatus: null, overrideMessage: null },
    ]);
    expect(await get(page.id)).to.deep.equal(page);
    await deleteStatusPage(deps, actor, page.id);
    expect(await faultOf(get(page.id))).to.equal('not_found');
    expect((await create({ slug: 'acme-shop' })).slug).to.equal('acme-shop');
  });

  it('have an address of their own: of many that want the same at once, one has it', async () => {
    const other = await seedActor(test.database);
    const slug = freshSlug();
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) => faultOf(create({ slug }, index % 2 === 0 ? actor : other))),
    );
    expect(created.filter((code) => code === undefined)).to.have.length(1);
    expect(created.filter((code) => code === 'slug_taken')).to.have.length(7);

    const wanted = freshSlug();
    const pages = await Promise.all([create(), create(), create({}, other)]);
    const moved = await Promise.all([
      faultOf(update(pages[0].id, { slug: wanted })),
      faultOf(update(pages[1].id, { slug: wanted })),
      faultOf(update(pages[2].id, { slug: wanted }, other)),
    ]);
    expect(moved).to.have.members(['slug_taken', 'slug_taken', undefined]);
  });

  it('show what is of their workspace only, and is there', async () => {
    const stranger = await seedActor(test.database);
    const theirs = await monitor({}, stranger);
    const gone = await monitor();
    await deleteMonitor(monitors, actor, gone);
    const page = await create();
    for (const system of [{ monitorId: theirs }, { monitorId: gone }, { serviceGroupId: await group(stranger) }]) {
      expect(await faultOf(create(showing(system)))).to.equal('not_found');
      expect(await faultOf(update(page.id, showing(system)))).to.equal('not_found');
    }
    expect((await get(page.id)).groups).to.deep.equal([]);
    expect(await faultOf(getStatusPage(deps, stranger, page.id))).to.equal('not_found');
    expect(await faultOf(update(page.id, { name: 'Mine' }, stranger))).to.equal('not_found');
    expect(await faultOf(deleteStatusPage(deps, stranger, page.id))).to.equal('not_found');
  });

  it('keep the ids of systems that go on, so that posts go on naming them', async () => {
    const [first, second, third] = [await monitor(), await monitor(), await monitor()];
    const page = await create(showing({ monitorId: first }, { monitorId: second }));
    const [one, two] = page.groups[0]!.systems.map(({ id }) => id);
    const after = await update(
      page.id,
      showing({ monitorId: third }, { monitorId: second }, { id: one, monitorId: first }),
    );
    const ids = after.groups[0]!.systems.map(({ id }) => id);
    expect(ids.slice(1)).to.deep.equal([two, one]);
    expect(ids[0]).to.not.be.oneOf([one, two]);
    expect(await faultOf(update(page.id, showing({ id: newId(NOON), monitorId: first })))).to.equal(
      'validation_failed',
    );
    expect(
      await faultOf(update(page.id, showing({ id: one, monitorId: first }, { id: one, monitorId: second }))),
    ).to.equal('validation_failed');
    expect(await update(page.id, { groups: after.groups })).to.deep.equal(after);
  });

  it('lose a system with its monitor or group, and have it back with its group', async () => {
    const [monitorId, serviceGroupId] = [await monitor(), await group()];
    const page = await create(showing({ monitorId }, { serviceGroupId }));
    await deleteServiceGroup(monitors, actor, serviceGroupId);
    await deleteMonitor(monitors, actor, monitorId);
    expect((await get(page.id)).groups[0]!.systems).to.deep.equal([]);
    await restoreServiceGroup(monitors, actor, serviceGroupId);
    expect((await get(page.id)).groups[0]!.systems.map((system) => system.serviceGroupId)).to.deep.equal([
      serviceGroupId,
    ]);
  });

  it('show a monitor or group once each', async () => {
    const [monitorId, serviceGroupId] = [await monitor(), await group()];
    for (const twice of [{ monitorId }, { serviceGroupId }]) {
      expect(await faultOf(create(showing(twice, twice)))).to.equal('validation_failed');
      const page = await create(showing(twice));
      expect(await faultOf(update(page.id, showing(twice, twice)))).to.equal('validation_failed');
    }
  });

  it('never begin to show a monitor that goes with its group at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const serviceGroupId = await group();
      const monitorId = await monitor({ serviceGroupId });
      const [shown] = await Promise.all([
        faultOf(create(showing({ monitorId }))),
        faultOf(deleteServiceGroup(monitors, actor, serviceGroupId)),
      ]);
      const survives = (await faultOf(getMonitor(monitors, actor, monitorId))) === undefined;
      expect(shown === undefined).to.equal(survives);
    }
  });

  it('have a banner on paid plans; one that is there is not held against a smaller plan', async () => {
    const banner = { imageUrl: 'https://acme.example/banner.png' };
    const starter = await seedActor(test.database, { plan: 'Starter' });
    const plain = await create({}, starter);
    expect(await faultOf(create({ banner }, starter))).to.equal('feature_not_in_plan');
    expect(await faultOf(update(plain.id, { banner }, starter))).to.equal('feature_not_in_plan');
    const page = await create({ banner });
    await test.sql(`UPDATE user_account SET plan = 'Starter' WHERE id = $1`, [actor.workspace.ownerId]);
    expect((await update(page.id, { name: 'Store', banner })).banner).to.deep.equal({
      ...banner,
      linkUrl: null,
      altText: '',
    });
    expect((await update(page.id, { banner: null })).banner).to.equal(null);
  });

  it('refuse addresses that a browser would run, and slugs that are none', () => {
    const takes = (body: object) => statusPageCreateSchema.safeParse({ name: 'Acme', slug: 'acme', ...body }).success;
    const credentials = [
      'https://u:p@acme.example/x',
      'https://u@acme.example',
      'https:/u:p@acme.example',
      'https:u@acme.example',
    ];
    for (const imageUrl of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://acme.example/x',
      '/banner.png',
      '',
      ...credentials,
    ])
      expect(takes({ banner: { imageUrl } }), imageUrl).to.equal(false);
    expect(takes({ banner: { imageUrl: 'https://acme.example/@here?a=b@c' } })).to.equal(true);
    for (const host of ['a;script-src https:', 'a,b.example', "a'b.example", 'a*b.example', '[::1]', 'a_b.example'])
      expect(takes({ banner: { imageUrl: `https://${host}/banner.png` } }), host).to.equal(false);
    for (const host of ['acme.example', '192.0.2.7:8443', 'bücher.example', 'ACME.example.'])
      expect(takes({ banner: { imageUrl: `https://${host}/banner.png` } }), host).to.equal(true);
    for (const slug of ['ab', 'Acme', 'a b c', 'acme/shop', 'ä'.repeat(3), 'a'.repeat(64), ''])
      expect(takes({ slug }), slug).to.equal(false);
    expect(takes({ slug: 'a'.repeat(63) })).to.equal(true);
    expect(takes(showing({ monitorId: newId(NOON), serviceGroupId: newId(NOON) }))).to.equal(false);
    expect(takes(showing({}))).to.equal(false);
    expect(takes(showing(...Array.from({ length: 101 }, () => ({ monitorId: newId(NOON) }))))).to.equal(false);
  });

  it('notify the server of pages of every change, with both slugs where the slug changed', async () => {
    const page = await create({ slug: 'before-it' });
    await update(page.id, { slug: 'after-it' });
    const post = await createPost(deps, actor, page.id, postCreateSchema.parse({ title: 'Slow', body: 'We look.' }));
    await deletePost(deps, actor, { pageId: page.id, postId: post.id });
    await deleteStatusPage(deps, actor, page.id);
    expect(changed).to.deep.equal(['before-it', 'before-it', 'after-it', 'after-it', 'after-it', 'after-it']);
  });

  describe('posts', () => {
    const post = (pageId: string, body: object) =>
      createPost(deps, actor, pageId, postCreateSchema.parse({ title: 'Slow', body: 'We look.', ...body }));
    const patch = (pageId: string, postId: string, body: object) =>
      updatePost(deps, actor, { pageId, postId }, postPatchSchema.parse(body));

    it('are threads: each change of status and each text is added', async () => {
      const page = await create(showing({ monitorId: await monitor() }));
      const systemIds = page.groups[0]!.systems.map(({ id }) => id);
      const made = await post(page.id, { systemIds, body: '<script>alert(1)</script> *hm*' });
      expect(made).to.deep.include({ kind: 'incident', status: 'investigating', systemIds, updates: [] });
      expect(made.body).to.equal('<script>alert(1)</script> *hm*');
      monitors.clock.advance(60_000);
      await patch(page.id, made.id, { body: 'Found it.', status: 'identified' });
      monitors.clock.advance(60_000);
      await patch(page.id, made.id, { title: 'Was slow' });
      await patch(page.id, made.id, { status: 'resolved' });
      const now = await getPost(deps, actor, { pageId: page.id, postId: made.id });
      expect(now).to.deep.include({ title: 'Was slow', status: 'resolved', body: made.body });
      expect(now.updates.map(({ status, body, createdBy }) => [status, body, createdBy])).to.deep.equal([
        ['resolved', null, actor.caller.userId],
        ['identified', 'Found it.', actor.caller.userId],
      ]);
      expect(await patch(page.id, made.id, { status: 'resolved' })).to.deep.equal(now);
      expect((await listPosts(deps, actor, page.id, { limit: 50, offset: 0 })).items).to.deep.equal([now]);
    });

    it('are scheduled for maintenance only, and name systems of their own page', async () => {
      const page = await create();
      const start = '2026-11-22T08:00:00Z';
      const refused = [
        { kind: 'incident', status: 'scheduled' },
        { kind: 'update', scheduledStart: start },
        { kind: 'maintenance', scheduledStart: start, scheduledEnd: start },
        { kind: 'maintenance', scheduledEnd: start },
      ];
      for (const body of refused) {
        expect(postCreateSchema.safeParse({ title: 'Slow', body: 'We look.', ...body }).success).to.equal(false);
      }
      const made = await post(page.id, { kind: 'maintenance', scheduledStart: start });
      expect(made.status).to.equal('scheduled');
      expect(await faultOf(patch(page.id, made.id, { scheduledEnd: start }))).to.equal('validation_failed');
      const { groups } = await create(showing({ monitorId: await monitor() }));
      const foreign = [groups[0]!.systems[0]!.id];
      expect(await faultOf(post(page.id, { systemIds: foreign }))).to.equal('validation_failed');
      expect(await faultOf(patch(page.id, made.id, { systemIds: foreign }))).to.equal('validation_failed');
    });

    it('are found on their own page only', async () => {
      const [page, other] = [await create(), await create()];
      const made = await post(page.id, {});
      expect(await faultOf(getPost(deps, actor, { pageId: other.id, postId: made.id }))).to.equal('not_found');
      expect(await faultOf(patch(other.id, made.id, { title: 'x' }))).to.equal('not_found');
      expect(await faultOf(deletePost(deps, actor, { pageId: other.id, postId: made.id }))).to.equal('not_found');
      await deletePost(deps, actor, { pageId: page.id, postId: made.id });
      expect(await faultOf(getPost(deps, actor, { pageId: page.id, postId: made.id }))).to.equal('not_found');
    });
  });
});
