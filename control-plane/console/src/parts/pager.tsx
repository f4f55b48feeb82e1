import { useLocation } from 'preact-iso';
import { addressWith } from '../data/address.js';
import { numberText } from './format.js';
import { Icon } from './icon.js';

/** Leads to the other pages of a list, which are in the address (`?page=2`). Shows nothing where there is one page. */
export function Pager({ page, pageSize, total }: { page: number; pageSize: number; total: number }) {
  const { url } = useLocation();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const hrefOf = (to: number) => addressWith(url, { page: to === 1 ? undefined : String(to) });
  const from = (page - 1) * pageSize + 1;
  return (
    <nav class="pager" aria-label="Pages">
      <span class="soft num">
        {numberText(from)}–{numberText(Math.min(total, page * pageSize))} of {numberText(total)}
      </span>
      <span class="pager-links">
        {page > 1 ? (
          <a class="btn" href={hrefOf(page - 1)} rel="prev">
            <Icon name="left" />
            Previous
          </a>
        ) : (
          <span class="btn" aria-disabled="true">
            <Icon name="left" />
            Previous
          </span>
        )}
        {page < pages ? (
          <a class="btn" href={hrefOf(page + 1)} rel="next">
            Next
            <Icon name="right" />
          </a>
        ) : (
          <span class="btn" aria-disabled="true">
            Next
            <Icon name="right" />
          </span>
        )}
      </span>
    </nav>
  );
}
