import type { Configured, DocumentSection, SectionRun } from '../../platform/documents/document-section.js';
import { createStatusPage } from './create-status-page.js';
import { decideSystems } from './decide-systems.js';
import { deleteStatusPage } from './delete-status-page.js';
import { describeStatusPage } from './describe-status-page.js';
import { type StatusPageDeps, viewsOfPages } from './read-status-pages.js';
import { READ, WRITE } from './status-page-routes.js';
import {
  type StatusPageCreateInput,
  statusPageCreateSchema,
  type StatusPageUpdateInput,
  statusPageUpdateSchema,
  type StatusPageView,
} from './status-page-schemas.js';
import { updateStatusPage } from './update-status-page.js';

/** More than an account can have. */
const MAX_PAGES = 200;
const NEW = { id: '', managedBy: null, created: new Date(0), lastModified: new Date(0) };

export function statusPageSection(pool: StatusPageDeps): DocumentSection<StatusPageCreateInput, StatusPageUpdateInput> {
  const depsIn = ({ db }: SectionRun) => ({
    ...pool,
    db,
    onPageChanged: (slug: string) => db.afterCommit(() => pool.onPageChanged(slug)),
  });
  return {
    access: { read: READ, write: WRITE },
    schemas: [{ create: statusPageCreateSchema, update: statusPageUpdateSchema }],
    configuredBy({ groups, ...page }) {
      const groupNames = groups.map(({ name }) => name);
      const { systems } = decideSystems(groups, [], () => '');
      return configured(describeStatusPage({ ...NEW, ...page, groupNames }, systems));
    },
    least: ({ name, slug }) => ({ name, slug }),
    read: async (tx, workspaceId) =>
      (await viewsOfPages(tx, workspaceId, { limit: MAX_PAGES, offset: 0 })).items
        .toReversed()
        .map((page) => ({ id: page.id, ...configured(page) })),
    create: (run, changes) => run.each(changes, ({ id, input }) => createStatusPage(depsIn(run), run.actor, input, id)),
    update: (run, changes) => run.each(changes, ({ id, input }) => updateStatusPage(depsIn(run), run.actor, id, input)),
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteStatusPage(depsIn(run), run.actor, id)),
  };
}

function configured(view: StatusPageView): Configured {
  const { id: _, created: _c, lastModified: _m, managedBy: _b, groups, ...page } = view;
  const withoutIds = groups.map(({ name, systems }) => ({
    name,
    systems: systems.map(({ id: _id, ...system }) => system),
  }));
  return { fields: { ...page, groups: withoutIds }, secrets: {} };
}
