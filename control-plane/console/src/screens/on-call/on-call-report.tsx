import { useState } from 'preact/hooks';
import type { OnCallReport } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { request } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { useResource } from '../../data/resources.js';
import { toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { countText, durationText } from '../../parts/format.js';
import { Choice } from '../../parts/inputs.js';
import { Loaded } from '../../parts/loaded.js';
import { saveFile } from '../../parts/save-file.js';
import { Section } from '../../parts/section.js';
import { addMonths } from '../../data/days.js';
import { nameOf } from './people.js';

/** The kinds of hours, with the colours of series. */
const KINDS = [
  ['weekday', 'weekdays', 5],
  ['night', 'nights', 1],
  ['weekend', 'weekends', 2],
  ['holiday', 'holidays', 4],
] as const;
const SHOWN_MONTHS = 13;

type Share = OnCallReport['people'][number];

/** The hours and pages of a month by person, beside a fair share. */
export function Report({ path }: { path: string }) {
  const [current] = useState(() => new Date(now.peek()).toISOString().slice(0, 7));
  const [month, setMonth] = useState(current);
  const read = useResource<OnCallReport>(`${path}/on-call-report`, { month });
  const months = Array.from({ length: SHOWN_MONTHS }, (_, index) => addMonths(`${current}-01`, -index).slice(0, 7));
  const save = async () => {
    const query = { month, format: 'csv' };
    const { body } = await request<string>('GET', `${path}/on-call-report`, { query });
    saveFile(`on-call-${month}.csv`, new Blob([body], { type: 'text/csv' }));
  };
  return (
    <Section
      look="part"
      title="Hours"
      lead="What being on call was, beside a fair share."
      aside={
        <>
          <Choice
            class="auto"
            label="Month"
            options={months.map((each) => ({ value: each, label: monthText(each) }))}
            value={month}
            onChange={setMonth}
          />
          <Button text="CSV" label="Save as CSV" onClick={() => void save().catch(toastFault)} />
        </>
      }
    >
      <Loaded of={read}>{(report) => <Shares report={report} />}</Loaded>
    </Section>
  );
}

function Shares({ report: { people } }: { report: OnCallReport }) {
  const most = Math.max(1, ...people.flatMap(({ totalHours, fairShareHours }) => [totalHours, fairShareHours]));
  const shown = KINDS.filter(([kind]) => people.some(({ hours }) => hours[kind] > 0));
  if (people.length === 0) return <p class="soft">Nobody takes turns.</p>;
  return (
    <>
      <ul class="list lines gap-3" aria-label="Hours by person">
        {people.map((share) => (
          <ShareRow key={share.user.userId} share={share} most={most} />
        ))}
      </ul>
      <p class="wrap gap-1-4 soft small">
        {shown.map(([kind, word, series]) => (
          <span key={kind} class="flex center gap-2">
            <span class="oncall-dot" style={{ '--person': `var(--series-${series})` }} />
            {word}
          </span>
        ))}
        <span>│ a fair share, {people[0]!.fairShareHours} h</span>
      </p>
    </>
  );
}

function ShareRow({ share, most }: { share: Share; most: number }) {
  const { user, hours, totalHours, fairShareHours, pages, pagesAtNight } = share;
  const { differenceHours, acknowledgements, medianSecondsToAcknowledge } = share;
  let left = 0;
  return (
    <li class="lines gap-1">
      <span class="flex between gap-4">
        <span>{nameOf(user)}</span>
        <span class="num">
          {totalHours} h{' '}
          <span class="soft">
            ({differenceHours > 0 ? '+' : ''}
            {differenceHours} h)
          </span>
        </span>
      </span>
      <svg class="oncall-share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        {KINDS.map(([kind, , series]) => {
          const [x, width] = [left, (hours[kind] / most) * 100];
          left += width;
          return <rect key={kind} style={{ fill: `var(--series-${series})` }} x={x} width={width} height="8" />;
        })}
        <path class="oncall-fair" d={`M${(fairShareHours / most) * 100} 0V8`} />
      </svg>
      <span class="soft small num">
        {KINDS.filter(([kind]) => hours[kind] > 0)
          .map(([kind, word]) => `${hours[kind]} h ${word}`)
          .join(', ') || 'no hours'}
        ; {countText(pages, 'page')}
        {pagesAtNight > 0 && `, ${pagesAtNight} at night`}
        {medianSecondsToAcknowledge !== null &&
          `; ${acknowledgements} acknowledged, half of them within ${durationText(medianSecondsToAcknowledge * 1_000)}`}
      </span>
    </li>
  );
}

function monthText(month: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00Z`));
}
