/** What a filter box holds: words that are searched, and pairs such as `tag:team:web`. */
export interface Filter {
  search: string;
  /** By the name of the query: `{ tag: ['team:web'], status: ['unavailable'] }`. */
  terms: Record<string, string[]>;
}

/**
 * Reads the text of a filter box. What has an unknown name before its colon is searched as it is, so that a URL can be
 * pasted; a value with blanks is quoted: `group:"Web shop"`.
 * @param names what may precede a colon
 */
export function parseFilter(text: string, names: readonly string[]): Filter {
  const terms: Filter['terms'] = {};
  const words: string[] = [];
  for (const [word, name = '', quoted, plain = ''] of text.matchAll(/([a-z]+):(?:"([^"]*)"|(\S+))|"[^"]*"|\S+/gi)) {
    const value = quoted ?? plain;
    const known = names.find((each) => each.toLowerCase() === name.toLowerCase());
    if (known === undefined || value === '') words.push(word);
    else if (!terms[known]?.includes(value)) terms[known] = [...(terms[known] ?? []), value];
  }
  return { search: words.join(' ').replaceAll('"', ''), terms };
}

/** The text of a filter box that `parseFilter` reads as this filter. */
export function filterText({ search, terms }: Filter): string {
  return [...pairTexts(terms), search].filter((part) => part !== '').join(' ');
}

/** Pairs as they are typed: `tag:team:web`, `group:"Web shop"`. */
export function pairTexts(terms: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(terms).flatMap(([name, values]) =>
    values.map((value) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`),
  );
}

/** @returns the filter of a query of the address */
export function filterOfQuery(query: URLSearchParams, names: readonly string[]): Filter {
  const terms: Filter['terms'] = {};
  for (const name of names) {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length > 0) terms[name] = values;
  }
  return { search: query.get('search') ?? '', terms };
}

/**
 * The filter with a value more, or without it where it has it.
 * @param isMulti whether a thing can have several values of this name; else it takes the place of the former one
 */
export function toggleTerm({ search, terms }: Filter, name: string, value: string, isMulti: boolean): Filter {
  const { [name]: own = [], ...others } = terms;
  const isSame = (one: string) => one.toLowerCase() === value.toLowerCase();
  const left = isMulti ? own.filter((one) => !isSame(one)) : [];
  const values = own.some(isSame) ? left : [...left, value];
  return { search, terms: values.length === 0 ? others : { ...others, [name]: values } };
}

/** @returns the query with this filter in place of its own, on the first page */
export function queryOfFilter(query: URLSearchParams, filter: Filter, names: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of [...names, 'search', 'page']) next.delete(name);
  for (const [name, values] of Object.entries(filter.terms)) for (const value of values) next.append(name, value);
  if (filter.search !== '') next.set('search', filter.search);
  return next;
}

/**
 * For a term of which a thing has one.
 * @param owner what has it, such as `A monitor`
 * @param known the values that there are, in any case
 * @returns why nothing has all of these values, as a sentence; undefined if something may
 */
export function termFault(
  owner: string,
  name: string,
  values: readonly string[],
  known: readonly string[],
): string | undefined {
  if (values.length > 1) return `${owner} has one ${name}: ${values.join(' and ')} exclude each other.`;
  const unknown = values.find((value) => !known.some((each) => each.toLowerCase() === value.toLowerCase()));
  return unknown === undefined ? undefined : `There is no ${name} "${unknown}". Known: ${known.join(', ')}.`;
}
