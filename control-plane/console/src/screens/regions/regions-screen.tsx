import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { latencyText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { RegionMap } from './region-map.js';
import { StateMark, Duration } from '../../parts/marks.js';
import { type Columns, Table } from '../../parts/table.js';
import { REGION_MARKS, rateText, regionMeaning } from './region-state.js';

const COLUMNS: Columns<RegionView> = {
  Region: ({ region, location }) => (
    <span class="lines">
      <strong>{location}</strong>
      <code class="soft small">{region}</code>
    </span>
  ),
  State: {
    width: 'wide',
    isPlain: true,
    cell: (one) => (
      <span class="lines">
        <span class="row">
          <StateMark {...REGION_MARKS[one.state]} />
          {one.since && <Duration from={one.since} to={null} class="soft" before="for " />}
        </span>
        <span class="soft small max-34 pretty">{regionMeaning(one)}</span>
      </span>
    ),
  },
  Monitors: { isNumber: true, cell: ({ monitors }) => monitors },
  'Checks a minute': {
    isNumber: true,
    cell: ({ checksPerMinute, reportingPerMinute }) =>
      checksPerMinute === 0 ? (
        <span class="soft">–</span>
      ) : (
        <span title={`${rateText(reportingPerMinute)} of ${rateText(checksPerMinute)} report`}>
          {reportingPerMinute < checksPerMinute && (
            <span class="state-partial">{rateText(reportingPerMinute)} of </span>
          )}
          {rateText(checksPerMinute)}
        </span>
      ),
  },
  'Lag p99': { isNumber: true, cell: ({ startLagP99 }) => latencyText(startLagP99) },
  Agents: { isNumber: true, cell: ({ agents }) => agents },
};

/** From where is checked, and what each region can be trusted with. */
export function RegionsScreen() {
  const read = useResource<RegionView[]>('/api/v1/regions');
  const used = (read.data ?? []).filter(({ monitors, agents }) => monitors > 0 || agents > 0);
  const unused = (read.data ?? []).filter((one) => !used.includes(one));
  return (
    <Screen
      title="Regions"
      receivedMs={read.receivedMs}
      lead={<span class="soft">Where your sites are checked from. Lag: delay between schedule and start.</span>}
    >
      <Loaded of={read} rows={8}>
        {() => (
          <>
            <RegionMap used={used} unused={unused} />
            {used.length > 0 && (
              <Table label="Regions in use" rows={used} columns={COLUMNS} rowKey={({ region }) => region} />
            )}
            {unused.length > 0 && (
              <Section
                title="Not in use"
                aside={
                  <span class="soft">No agent is connected there, and no monitor of this workspace needs one.</span>
                }
              >
                <p class="soft">{unused.map(({ location }) => location).join(' · ')}</p>
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}
