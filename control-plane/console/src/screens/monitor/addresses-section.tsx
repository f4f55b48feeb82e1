import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { latencyText } from '../../parts/format.js';
import { StateMark, Time } from '../../parts/marks.js';
import { Table, type Column } from '../../parts/table.js';
import { placeOf } from './reading.js';

type Address = MonitorView['addresses'][number];

const STATES = {
  available: ['available', 'Available'],
  unavailable: ['unavailable', 'Unavailable'],
  notChecked: ['unknown', 'Not checked'],
} as const;

/** Shows what the latest checks found about single addresses of the name. */
export function AddressesSection({
  monitor: { addresses, addressWarnings },
  regions,
}: {
  monitor: MonitorView;
  regions: readonly RegionView[] | undefined;
}) {
  const columns: Column<Address>[] = [
    { label: 'Address', width: 'wide', cell: ({ address }) => <span class="mono anywhere">{address}</span> },
    { label: 'Region', cell: ({ region }) => placeOf(regions, region) },
    {
      label: 'State',
      width: 'narrow',
      cell: ({ status }) => <StateMark state={STATES[status][0]} word={STATES[status][1]} />,
    },
    {
      label: 'Response',
      isNumber: true,
      cell: ({ responseTime }) => (responseTime === null ? '–' : latencyText(responseTime)),
    },
    { label: 'Since', isNumber: true, cell: ({ since }) => <Time at={since} /> },
  ];
  return (
    <div class="stack">
      {addresses.length > 0 && (
        <Table
          label="Addresses"
          rows={addresses}
          columns={columns}
          rowKey={({ region, address }) => `${region} ${address}`}
        />
      )}
      {addressWarnings.map((warning) => (
        <p key={warning} class="soft small anywhere">
          {warning}
        </p>
      ))}
    </div>
  );
}
