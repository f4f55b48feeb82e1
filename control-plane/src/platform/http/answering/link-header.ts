export interface PageOfList {
  baseUrl: string;
  path: string;
  /** The request's query without the question mark; what is not `page` is kept in every link. */
  querystring: string;
  page: number;
  pageSize: number;
  total: number;
}

/** The `Link` header of one page of a list (RFC 8288): `first`, `prev`, `next` and `last`, those that there are. */
export function linkHeader({ baseUrl, path, querystring, page, pageSize, total }: PageOfList): string {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const link = (rel: string, target: number) => {
    const query = new URLSearchParams(querystring);
    query.set('page', String(target));
    return `<${baseUrl}${path}?${query.toString()}>; rel="${rel}"`;
  };
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ');
}
