import type { PathOfFailure } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { pathRows, pathSentence, type PathRow } from '@watchpost/shared/path-rows';
import { latencyText, numberText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import { type Columns, Table } from '../../parts/table.js';

/** The way to the address that could not be reached, beside the last good one. */
export function PathTable({ path }: { path: PathOfFailure }) {
  const { lastGood } = path;
  const columns: Columns<PathRow> = {
    Hop: { isNumber: true, cell: ({ ttl }) => numberText(ttl) },
    Now: { width: 'wide', cell: ({ hop, isOther }) => <Hop hop={hop} isOther={isOther} /> },
    ...(lastGood && { 'Last good': { width: 'wide', cell: ({ good }) => <Hop hop={good} isOther={false} /> } }),
  };
  return (
    <div class="lines gap-2">
      <p>
        {pathSentence(path)} <Time at={path.tracedAt} as="moment" before="Traced " after="." class="soft small" />
        {lastGood && <Time at={lastGood.tracedAt} as="moment" before=" It was good " after="." class="soft small" />}
      </p>
      <Table label="The way to the address" rows={pathRows(path)} columns={columns} rowKey={({ ttl }) => String(ttl)} />
    </div>
  );
}

function Hop({ hop, isOther }: { hop: PathRow['hop']; isOther: boolean }) {
  if (hop === null) return <span class="soft">–</span>;
  if (hop.address === null) return <span class="soft">no answer</span>;
  const facts = [
    hop.rttMs !== null && latencyText(hop.rttMs),
    hop.loss ? `${hop.loss} % lost` : null,
    isOther && 'another way',
  ];
  return (
    <>
      {hop.name ?? hop.address} {hop.name !== null && <span class="soft">{hop.address}</span>}{' '}
      <span class="soft small">{facts.filter(Boolean).join(', ')}</span>
    </>
  );
}
