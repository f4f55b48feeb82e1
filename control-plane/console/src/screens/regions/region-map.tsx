import { landPath, MAP_HEIGHT, MAP_WIDTH, placeOnMap } from '@watchpost/shared/design/world';
import { REGIONS } from '@watchpost/shared/region';
import type { LocationAgent } from '@watchpost/control-plane/capabilities/fleet/locations/location-agent-schemas';
import type { LocationView } from '@watchpost/control-plane/capabilities/locations/location-schemas';
import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { useResource } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { latencyText } from '../../parts/format.js';
import { StateMark } from '../../parts/marks.js';
import { locationMark, REGION_MARKS } from './region-state.js';

const SHOWN_LOCATIONS = 10;
const LAND = landPath();

/** Shows where the regions are, each with its state and lag, above the private locations, which have no place on a map. The table has all of it in words. */
export function RegionMap({ used, unused }: { used: readonly RegionView[]; unused: readonly RegionView[] }) {
  const locations = useResource<LocationView[]>('/api/v1/private-locations', { pageSize: SHOWN_LOCATIONS });
  return (
    <div class="card clip below-5">
      <div class="map">
        <svg viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
          <path class="map-land" d={LAND} />
        </svg>
        {unused.map(({ region }) => (
          <span key={region} class="map-place" style={placeOf(region)} aria-hidden="true">
            <span class="map-unused" />
          </span>
        ))}
        {used.map((one) => (
          <MapRegion key={one.region} region={one} />
        ))}
      </div>
      {locations.data !== undefined && locations.data.length > 0 && (
        <section class="row pad-3-4" aria-label="Private locations">
          <span class="soft small">Private locations</span>
          {locations.data.map((location) => (
            <Location key={location.id} location={location} />
          ))}
          {(locations.total ?? 0) > SHOWN_LOCATIONS && (
            <a href={pathTo('/settings/locations')}>All {locations.total}</a>
          )}
        </section>
      )}
    </div>
  );
}

/** Leads to the row of its region, which is marked while somebody looks at the region. */
function MapRegion({ region: { region, location, state, startLagP99 } }: { region: RegionView }) {
  const rowOf = () => document.querySelector<HTMLElement>(`tr[data-row="${region}"]`);
  const mark = (isMarked: boolean) => () => rowOf()?.classList.toggle('is-selected', isMarked);
  const lag = startLagP99 === null ? '' : latencyText(startLagP99);
  return (
    <span class="map-place" style={placeOf(region)}>
      <button
        type="button"
        class="map-region"
        aria-label={`${location}: ${REGION_MARKS[state].word}${lag && `, lag ${lag}`}. Go to its row.`}
        onPointerEnter={mark(true)}
        onPointerLeave={mark(false)}
        onFocus={mark(true)}
        onBlur={mark(false)}
        onClick={() => rowOf()?.scrollIntoView({ block: 'center' })}
      >
        <StateMark {...REGION_MARKS[state]} isQuiet />
      </button>
      <span class="map-words" aria-hidden="true">
        {location.replace(/^.*, /, '')} {lag}
      </span>
    </span>
  );
}

function Location({ location: { id, name } }: { location: LocationView }) {
  const agents = useResource<LocationAgent[]>(`/api/v1/private-locations/${id}/agents`, { pageSize: 20 });
  return (
    <a class="row" href={pathTo('/settings/locations')}>
      {agents.data && <StateMark {...locationMark(agents.data.map(({ state }) => state))} isQuiet />}
      {name}
    </a>
  );
}

function placeOf(name: string): { left: string; top: string } {
  const { x, y } = placeOnMap(REGIONS.find((each) => each.name === name)!.coordinates);
  return { left: `${(x / MAP_WIDTH) * 100}%`, top: `${(y / MAP_HEIGHT) * 100}%` };
}
