import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { latencyText } from '../../parts/format.js';
import { StateMark, Time } from '../../parts/marks.js';
import { Table, type Columns } from '../../parts/table.js';
import { usePlaces } from './reading.js';

type Address = MonitorView['addresses'][number];

const STATES = {
  available: { state: 'available' },
  unavailable: { state: 'unavailable' },
  notChecked: { state: 'unknown', word: 'Not checked' },
} as const;

/** Shows what the latest checks found about single addresses of the name. */
export function AddressesSection({ monitor: { addresses, addressWarnings } }: { monitor: MonitorView }) {
  const placeOf = usePlaces();
  const columns: Columns<Address> = {
    Address: { width: 'wide', cell: ({ address }) => <span class="mono">{address}</span> },
    Region: ({ region }) => placeOf(region),
    State: { width: 'narrow', cell: ({ status }) => <StateMark {...STATES[status]} /> },
    Response: { isNumber: true, cell: ({ responseTime }) => (responseTime === null ? '–' : latencyText(responseTime)) },
    Since: { isNumber: true, cell: ({ since }) => <Time at={since} /> },
  };
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
        <p key={warning} class="soft small">
          {warning}
        </p>
      ))}
    </div>
  );
}
