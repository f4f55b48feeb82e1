import { NotThere, Screen } from '../../frame/screen.js';
import { Fragment } from 'preact';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { FIRST_PAGE_ADDRESS } from '../../data/address.js';
import type { Overview, TeamDuty } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { pathTo, hasRole } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { countText, durationText } from '../../parts/format.js';
import { Loaded, newMonitorLink, EmptyState } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { MonitorTable } from '../monitors/monitor-table.js';
import { DayTiles } from './day-tiles.js';
import { AttentionList } from './attention-list.js';
import { FirstSteps, ImportLine } from './first-steps.js';
import { FleetPicture } from './fleet-picture.js';
import { verdictParts, verdictSentence, type VerdictPart } from './verdict.js';
import { Icon, Button } from '../../parts/button.js';
import { Time } from '../../parts/marks.js';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { URL_ATTRIBUTES } from '../../parts/inputs.js';
import { useFocus } from '../../parts/use-focus.js';

/** Is anything broken, does somebody know, can we see? */
export function OverviewScreen() {
  const overview = useResource<Overview>('/api/v1/overview');
  const monitors = useResource<MonitorView[]>(FIRST_PAGE_ADDRESS);
  const { data } = overview;

  if (data === undefined) return <NotThere title="Overview" of={overview} rows={8} />;
  const verdict = verdictSentence(data.counts);
  if (data.counts.total === 0) {
    return (
      <Screen title={verdict}>
        <FirstMonitor />
        <FirstSteps monitors={0} />
        <OnCallCards teams={data.onCall} />
      </Screen>
    );
  }
  const total = monitors.total ?? data.counts.total;
  return (
    <Screen
      title={<Verdict parts={verdictParts(data.counts)} />}
      receivedMs={overview.receivedMs}
      documentTitle={verdict}
      actions={newMonitorLink()}
    >
      <AttentionList items={data.attention} total={data.attentionTotal} />
      <DayTiles overview={data} />
      <FleetPicture counts={data.counts} />
      <FirstSteps monitors={data.counts.total} />
      <OnCallCards teams={data.onCall} />
      <Section
        title="Monitors"
        aside={
          <a href={pathTo('/monitors')}>
            {total > (monitors.data?.length ?? 0) ? `All ${countText(total, 'monitor')}` : 'View all monitors'}
          </a>
        }
      >
        <Loaded of={monitors} rows={Math.min(50, data.counts.total)}>
          {(shown) => (
            <>
              <MonitorTable monitors={shown} label="Monitors, worst first" />
              {total > shown.length && (
                <p class="soft">
                  The worst {shown.length} of <a href={pathTo('/monitors')}>{countText(total, 'monitor')}</a>.
                </p>
              )}
            </>
          )}
        </Loaded>
      </Section>
    </Screen>
  );
}

/** The sentence, in which each number leads to the monitors that it counts. */
function Verdict({ parts }: { parts: readonly VerdictPart[] }) {
  return (
    <>
      {parts.map(({ text, state, filter }, index) => (
        <Fragment key={text}>
          {index > 0 && ' '}
          <span class="verdict">
            <a class={`verdict-part state-${state}`} href={pathTo('/monitors', { state: filter })}>
              {text}
            </a>
            {index < parts.length - 1 && ','}
          </span>
        </Fragment>
      ))}
    </>
  );
}

const NAMELESS = 'somebody without a name';

function OnCallCards({ teams }: { teams: readonly TeamDuty[] }) {
  if (teams.length === 0) return null;
  return (
    <Section title="On call" aside={<a href={pathTo('/on-call')}>Schedule</a>}>
      <div class="grid">
        {teams.map((team) => (
          <Card key={team.teamId} team={team} />
        ))}
      </div>
    </Section>
  );
}

function Card({ team: { teamName, now, next, gaps, why } }: { team: TeamDuty }) {
  const gapMs = gaps.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0);
  return (
    <article class="card card-body duty lines gap-1 packed">
      <h3 class="soft">{teamName}</h3>
      {now ? (
        <p class="gap-1-2 wrap center">
          <Icon name="person" />
          <strong>{now.name ?? NAMELESS}</strong>
          {now.until && <Time at={now.until} as="moment" class="soft" before="until " />}
        </p>
      ) : (
        <p class="state-unavailable">
          <strong>Nobody is on call.</strong> {why}
        </p>
      )}
      {next && (
        <p class="soft">
          Next: {next.name ?? NAMELESS}, <Time at={next.from} as="moment" />
        </p>
      )}
      {gaps.length > 0 && (
        <p class="state-partial">
          {countText(gaps.length, 'gap')} in the next 14 days, {durationText(gapMs)} in all
        </p>
      )}
    </article>
  );
}

/** One field, for a workspace that monitors nothing yet. */
function FirstMonitor() {
  const { route } = useLocation();
  const [url, setUrl] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useFocus(() => field.current?.focus({ preventScroll: true }));
  if (!hasRole('Editor')) {
    return (
      <EmptyState icon="monitors" title="Nothing is monitored yet">
        An editor of this workspace can add the first monitor.
      </EmptyState>
    );
  }
  return (
    <form
      class="first-monitor lines to-center gap-2 centered card"
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim() !== '') route(pathTo('/monitors/new', { url: url.trim() }));
      }}
    >
      <label class="text-m strong" for="first-url">
        Paste a URL to watch it
      </label>
      <p class="soft">It is tested at once. You see what was found before anything is saved.</p>
      <div class="first-monitor-field flex gap-2 above-3">
        <input
          id="first-url"
          ref={field}
          {...URL_ATTRIBUTES}
          class="input text-m"
          required
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <Button text="Test it" type="submit" look="primary" />
      </div>
      <ImportLine />
    </form>
  );
}
