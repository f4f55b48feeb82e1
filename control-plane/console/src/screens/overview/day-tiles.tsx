import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Point } from '@watchpost/shared/design/plot';
import { latencyText, percentText } from '@watchpost/shared/design/texts';
import { pathTo } from '../../data/session.js';
import { Sparkline } from '../../parts/state-bar.js';

const NONE = 'No figures yet';

/** Four numbers of the whole workspace, each of which leads to what it is made of. */
export function DayTiles({ overview: { attentionTotal, openByHour, lastDay } }: { overview: Overview }) {
  const hours = lastDay?.hours ?? [];
  // The last hour of the first figures of a workspace goes on.
  const lastMs = lastDay ? Date.parse(lastDay.until) % HOUR_MS || HOUR_MS : HOUR_MS;
  const minutes = hours.map((_, index) => (index === hours.length - 1 ? lastMs : HOUR_MS) / MINUTE_MS);
  const rates = hours.map(({ checks }, index) => (checks === 0 ? null : checks / minutes[index]!));
  const knownMinutes = minutes.reduce((sum, length, index) => (rates[index] === null ? sum : sum + length), 0);
  return (
    <nav class="section day-tiles" aria-label="Figures">
      <Tile
        name="Open incidents"
        value={String(attentionTotal)}
        href={pathTo('/incidents')}
        points={[...openByHour, attentionTotal]}
        text={String}
      />
      <Tile
        name="Availability, 24 h"
        value={percentText(lastDay?.availability, NONE)}
        href={pathTo('/monitors', { sort: 'uptime' })}
        points={hours.map(({ availability }) => availability)}
        text={(percent) => percentText(percent)}
        max={100}
      />
      <Tile
        name="Response time p95, 24 h"
        value={latencyText(lastDay?.p95, NONE)}
        href={pathTo('/monitors', { sort: '-p95' })}
        points={hours.map(({ p95 }) => p95)}
      />
      <Tile
        name="Checks a minute, 24 h"
        value={lastDay && knownMinutes > 0 ? rateText(lastDay.checks / knownMinutes) : NONE}
        href={pathTo('/regions')}
        points={rates}
        text={rateText}
      />
    </nav>
  );
}

function rateText(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en');
}

interface TileProps {
  name: string;
  value: string;
  href: string;
  points?: readonly Point[];
  text?: (value: number) => string;
  max?: number;
}

function Tile({ name, value, href, points, text, max }: TileProps) {
  return (
    <a class="card card-body day-tile lines gap-1 packed" href={href}>
      <span class="soft">{name}</span>
      {value === NONE ? <span class="num">{NONE}</span> : <strong class="num text-l">{value}</strong>}
      {points &&
        (points.some((point) => point !== null) ? (
          <Sparkline points={points} label={name} text={text} max={max} />
        ) : (
          <span class="spark" />
        ))}
    </a>
  );
}
