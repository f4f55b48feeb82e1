import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { paramsOf } from '../data/address.js';
import { filterOfQuery, filterText, pairTexts, parseFilter, queryOfFilter } from './filter-text.js';
import { Icon } from './button.js';
import { usePace } from './use-later.js';

const PAUSE_MS = 150;

interface FilterBoxProps {
  /** The names of pairs, which are also those in the query of the address. */
  names: readonly string[];
  placeholder: string;
  label: string;
  /** What a pair can have as its value, for suggestions. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** It gets the query that the address will have in a moment, so that what is there can be filtered at once, and undefined once the address has it. */
  onTyped?: (query: URLSearchParams | undefined) => void;
}

/** `tag:team:web status:down shop`, kept in the address. The key `/` leads here. */
export function FilterBox({ names, placeholder, label, values = {}, onTyped }: FilterBoxProps) {
  const { url, route } = useLocation();
  const textOf = (query: URLSearchParams) => filterText(filterOfQuery(query, names));
  const textNow = () => textOf(new URL(location.href).searchParams);
  const own = textOf(paramsOf(url));
  // The typed text is kept with that of the address to which it belongs: back, forward and links change the address under the box.
  const [typed, setTyped] = useState({ text: own, own });
  const text = typed.own === own ? typed.text : own;
  const pace = usePace(PAUSE_MS);

  const queryOf = (next: string) => queryOfFilter(new URL(location.href).searchParams, parseFilter(next, names), names);
  const apply = (next: string) => {
    const query = queryOf(next);
    onTyped?.(undefined);
    setTyped({ text: next, own: textOf(query) });
    route(`${location.pathname}${query.size === 0 ? '' : `?${query}`}`, true);
  };
  const type = (next: string) => {
    const before = textNow();
    setTyped({ text: next, own: before });
    onTyped?.(queryOf(next));
    pace(() => (textNow() === before ? apply(next) : onTyped?.(undefined)));
  };

  const [word = ''] = /\S*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - word.length);
  const suggestions = pairTexts(values);
  const listId = `filter-${names.join('-')}`;
  return (
    <form
      class="filter flex center gap-2 soft"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text);
        // Out of the box, so that `j` and `k` move in what was found.
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      }}
    >
      <Icon name="search" />
      <input
        class="filter-input grow"
        type="search"
        data-filter
        value={text}
        placeholder={placeholder}
        aria-label={label}
        autocomplete="off"
        spellcheck={false}
        list={suggestions.length > 0 ? listId : undefined}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <kbd class="filter-key" aria-hidden="true">
        /
      </kbd>
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {word !== '' && suggestions.map((each) => <option key={each} value={before + each} />)}
        </datalist>
      )}
    </form>
  );
}
