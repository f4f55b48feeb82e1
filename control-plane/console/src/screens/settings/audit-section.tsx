import { useLocation } from 'preact-iso';
import { addressWith, pageOf, paramsOf } from '../../data/address.js';
import { startOfDay } from '../../data/days.js';
import { pathTo, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { ChangesTable } from '../../parts/changes-table.js';
import { EmptyState } from '../../parts/empty-state.js';
import { capitalized, countText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Time } from '../../parts/time.js';
import { auditSentence, TARGET_WORDS } from './audit-sentence.js';
import { Section } from './section.js';
import type { AuditEntry, MemberView } from './views.js';

const PAGE_SIZE = 50;
const FILTERS = ['targetType', 'actorId', 'targetId', 'action', 'startDate', 'endDate'] as const;
const VIA = { rest: 'API', mcp: 'assistant', console: 'console', cli: 'command line', link: 'link', admin: 'operator' };
/** Where a target is shown. */
const SCREENS: Partial<Record<AuditEntry['target']['type'], string>> = {
  monitor: '/monitors/',
  incident: '/incidents/',
  status_page: '/status-pages/',
};

/** Who changed what. The filters are in the address. */
export function AuditSection() {
  const { url, path, route } = useLocation();
  const params = paramsOf(url);
  const page = pageOf(params);
  const query = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? '']));
  const isFiltered = FILTERS.some((name) => query[name] !== '');
  const { startDate = '', endDate = '' } = query;
  const read = useResource<AuditEntry[]>(`/api/v1/workspaces/${workspaceId.value}/audit`, {
    ...query,
    startDate: startOfDay(startDate),
    endDate: startOfDay(endDate, 1),
    page,
    pageSize: PAGE_SIZE,
  });
  const members = useResource<MemberView[]>(`/api/v1/workspaces/${workspaceId.value}/members`, { pageSize: 200 });

  const hrefWith = (changes: Record<string, string>) => addressWith(url, { page: undefined, ...changes });
  const date = (name: 'startDate' | 'endDate', label: string) => (
    <label class="field">
      <span class="field-label">{label}</span>
      <input
        class="input"
        type="date"
        value={query[name]}
        onChange={(event) => route(hrefWith({ [name]: event.currentTarget.value }), true)}
      />
    </label>
  );
  return (
    <Section
      title="Audit log"
      lead="Every change by a person, a key, a link or the operator. Entries cannot be changed, and are kept for 400 days."
    >
      <div class="settings-filters">
        <label class="field">
          <span class="field-label">What</span>
          <select
            class="input"
            value={query['targetType']}
            onChange={(event) => route(hrefWith({ targetType: event.currentTarget.value }), true)}
          >
            <option value="">Everything</option>
            {Object.entries(TARGET_WORDS).map(([type, word]) => (
              <option key={type} value={type}>
                {capitalized(word)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span class="field-label">Who</span>
          <select
            class="input"
            value={query['actorId']}
            onChange={(event) => route(hrefWith({ actorId: event.currentTarget.value }), true)}
          >
            <option value="">Everybody</option>
            {members.data?.map(({ userId, name, email }) => (
              <option key={userId} value={userId}>
                {name ?? email}
              </option>
            ))}
            {query['actorId'] !== '' && !members.data?.some(({ userId }) => userId === query['actorId']) && (
              <option value={query['actorId']}>Of the address</option>
            )}
          </select>
        </label>
        {date('startDate', 'From')}
        {date('endDate', 'To')}
        {isFiltered && (
          <a class="btn btn-plain" href={path}>
            All entries
          </a>
        )}
      </div>
      <Loaded of={read} rows={8}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState icon="search" title={isFiltered ? 'No entry matches' : 'Nothing has been changed yet'} />
          ) : (
            <>
              <ol class="settings-log card">
                {entries.map((entry) => (
                  <Entry
                    key={entry.id}
                    entry={entry}
                    hrefOfTarget={hrefWith({ targetId: entry.target.id })}
                    hrefOfActor={hrefWith({ actorId: entry.actor.id ?? '' })}
                  />
                ))}
              </ol>
              <Pager page={page} pageSize={PAGE_SIZE} total={read.total ?? entries.length} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Entry(props: { entry: AuditEntry; hrefOfTarget: string; hrefOfActor: string }) {
  const { entry, hrefOfTarget, hrefOfActor } = props;
  const { actor, verb, target } = auditSentence(entry);
  const fields = Object.entries(entry.changes);
  const screen = SCREENS[entry.target.type];
  return (
    <li data-row={entry.id}>
      <details>
        <summary data-row-link>
          <span>
            <strong>{actor}</strong> {verb} <strong>{target}</strong>
          </span>
          <span class="soft small">
            {fields.length > 0 && `${countText(fields.length, 'field')} · `}
            {entry.via && `${VIA[entry.via]} · `}
            <Time at={entry.at} as="moment" />
          </span>
        </summary>
        {fields.length > 0 && (
          <ChangesTable
            class="settings-changes"
            heads={['Before', 'After']}
            rows={fields.map(([name, { from, to }]) => ({ name, values: [from, to] }))}
          />
        )}
        <p class="row small soft">
          {entry.remoteAddress && <span>From {entry.remoteAddress}</span>}
          {entry.requestId && (
            <span>
              Request <code>{entry.requestId}</code>
            </span>
          )}
          <a href={hrefOfTarget}>All about this {TARGET_WORDS[entry.target.type]}</a>
          {entry.actor.id && <a href={hrefOfActor}>All by {actor}</a>}
          {screen && <a href={pathTo(`${screen}${entry.target.id}`)}>Open it</a>}
        </p>
      </details>
    </li>
  );
}
