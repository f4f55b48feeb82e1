import { numberText } from './format.js';

/** Use of a limit: a bar that changes its colour before the limit is reached. `limit` null is unlimited. */
export function Meter({
  label,
  value,
  limit,
  unit = '',
}: {
  label: string;
  value: number;
  limit: number | null;
  unit?: string;
}) {
  // A limit of 0 is nothing that was used up.
  const share = limit === null || value === 0 ? 0 : Math.min(1, value / limit);
  const colour = limit === null || share < 0.8 ? 'accent' : share < 1 ? 'partial-fill' : 'unavailable-fill';
  const text = `${numberText(value)}${limit === null ? '' : ` of ${numberText(limit)}`}${unit === '' ? '' : ` ${unit}`}`;
  return (
    <div class="lines gap-1">
      <div class="flex between gap-4">
        <span>{label}</span>
        <span class="num">{limit === null ? `${text}, no limit` : text}</span>
      </div>
      <div
        class="meter-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit ?? Math.max(value, 1)}
        aria-valuenow={limit === null ? value : Math.min(value, limit)}
        aria-valuetext={text}
      >
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect style={{ fill: `var(--${colour})` }} width={share * 100} height="4" />
        </svg>
      </div>
    </div>
  );
}
