import { Button } from '../../parts/button.js';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf, WHOLE } from '../../data/address.js';
import { startOfDay } from '../../data/days.js';
import { pathTo, workspaceId } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { ChangesTable } from '../../parts/changes-table.js';
import { DateRange } from '../../parts/date-input.js';
import { Choice, Labelled } from '../../parts/inputs.js';
import { EmptyState } from '../../parts/loaded.js';
import { capitalized, countText } from '../../parts/format.js';
import { Paged, usePage } from '../../parts/table.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import { auditSentence, TARGET_WORDS } from './audit-sentence.js';
import type { AuditEntry, MemberView } from './views.js';

const FILTERS = ['targetType', 'actorId', 'targetId', 'action', 'startDate', 'endDate'] as const;
const VIA = {
  rest: 'API',
  mcp: 'assistant',
  console: 'console',
  cli: 'command line',
  link: 'link',
  chat: 'chat',
  service: 'service',
  admin: 'operator',
};
const SCREENS: Partial<Record<AuditEntry['target']['type'], string>> = {
  monitor: '/monitors/',
  incident: '/incidents/',
  status_page: '/status-pages/',
};

export function AuditSection() {
  const { url, path, route } = useLocation();
  const params = paramsOf(url);
  const query = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? '']));
  const isFiltered = FILTERS.some((name) => query[name] !== '');
  const { targetType, actorId, startDate = '', endDate = '' } = query;
  const of = `/api/v1/workspaces/${workspaceId.value}`;
  const dates = { startDate: startOfDay(startDate), endDate: startOfDay(endDate, 1) };
  const entries = usePage<AuditEntry>(`${of}/audit`, { ...query, ...dates });
  const members = useResource<MemberView[]>(`${of}/members`, WHOLE);

  const hrefWith = (changes: Record<string, string>) => addressWith(url, { page: undefined, ...changes });
  const put = (name: (typeof FILTERS)[number]) => (value: string) => route(hrefWith({ [name]: value }), true);
  const people = (members.data ?? []).map(({ userId, name, email }) => ({ value: userId, label: name ?? email ?? '' }));
  if (actorId && !people.some(({ value }) => value === actorId))
    people.push({ value: actorId, label: 'Of the address' });
  const targets = Object.entries(TARGET_WORDS).map(([value, word]) => ({ value, label: capitalized(word) }));
  return (
    <Section
      look="stack"
      title="Audit log"
      lead="Every change by a person, a key, a link or the operator. Entries cannot be changed, and are kept for 400 days."
    >
      <div class="settings-filters wrap gap-3 end">
        <Labelled label="What">
          <Choice
            options={[{ value: '', label: 'Everything' }, ...targets]}
            value={targetType}
            onChange={put('targetType')}
          />
        </Labelled>
        <Labelled label="Who">
          <Choice options={[{ value: '', label: 'Everybody' }, ...people]} value={actorId} onChange={put('actorId')} />
        </Labelled>
        <DateRange
          label="When"
          names={['From', 'To']}
          values={[startDate, endDate]}
          onChange={(first, last) => route(hrefWith({ startDate: first, endDate: last }), true)}
        />
        {isFiltered && <Button text="All entries" look="plain" href={path} />}
      </div>
      <Paged
        of={entries}
        room={8}
        none={<EmptyState icon="search" title={isFiltered ? 'No entry matches' : 'Nothing has been changed yet'} />}
      >
        {(rows) => (
          <ol class="settings-log list divided card">
            {rows.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                hrefOfTarget={hrefWith({ targetId: entry.target.id })}
                hrefOfActor={hrefWith({ actorId: entry.actor.id ?? '' })}
              />
            ))}
          </ol>
        )}
      </Paged>
    </Section>
  );
}

function Entry(props: { entry: AuditEntry; hrefOfTarget: string; hrefOfActor: string }) {
  const { entry, hrefOfTarget, hrefOfActor } = props;
  const { actor, verb, target } = auditSentence(entry);
  const fields = Object.entries(entry.changes);
  const screen = SCREENS[entry.target.type];
  return (
    <li class="pad-3-4" data-row={entry.id}>
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
          {entry.assistant && (
            <span>
              {entry.assistant.client ?? 'An assistant'} called <code>{entry.assistant.tool}</code>
            </span>
          )}
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
