import { useLocation } from 'preact-iso';
import { paramsOf } from '../data/address.js';
import { Icon } from './button.js';
import { filterOfQuery, queryOfFilter, toggleTerm } from './filter-text.js';
import { Menu } from './menu.js';

/** A menu of more values would be no choice: the rest is found by typing. */
const MOST_VALUES = 30;

/** The values that can be chosen for a name of the filter box. */
export interface Facet {
  /** The name that the filter box and the address use. */
  name: string;
  label: string;
  /** Undefined while they are read. */
  values: readonly { value: string; count?: number }[] | undefined;
  /** A thing can have several of its values. */
  isMulti?: boolean;
}

/** A menu for each facet beside the filter box: what is chosen in it is in the box and in the address, and the other way round. */
export function Facets({ names, facets }: { names: readonly string[]; facets: readonly Facet[] }) {
  const { url, path } = useLocation();
  const query = paramsOf(url);
  const filter = filterOfQuery(query, names);
  return (
    <div class="wrap gap-2" role="group" aria-label="Filter by">
      {facets.map(({ name, label, values, isMulti = false }) => {
        if (values === undefined)
          return (
            <button key={name} type="button" class="btn" disabled>
              {label}
              <Icon name="down" />
            </button>
          );
        const chosen = filter.terms[name]?.map((value) => value.toLowerCase()) ?? [];
        const isChosen = (value: string) => chosen.includes(value.toLowerCase());
        // A chosen value is always listed, so that it can be taken back.
        const shown = values.filter(({ value }, index) => index < MOST_VALUES || isChosen(value));
        if (shown.length === 0) return null;
        return (
          <Menu
            key={name}
            label={label}
            hasWords
            isMulti={isMulti}
            items={shown.map(({ value, count }) => ({
              label: count === undefined ? value : `${value} (${count})`,
              href: `${path}?${queryOfFilter(query, toggleTerm(filter, name, value, isMulti), names).toString()}`,
              isCurrent: isChosen(value),
            }))}
          >
            {chosen.length === 0 ? label : `${label}: ${filter.terms[name]!.join(', ')}`}
            <Icon name="down" />
          </Menu>
        );
      })}
    </div>
  );
}
