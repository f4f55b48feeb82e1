import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import { decideAgentFaults } from './decide-agent-faults.js';

describe('types that no agent of a region can run', () => {
  const kinds = new Map<Region, ReadonlySet<string>>([
    ['northeurope', new Set(['http', 'ssl', 'grpc'])],
    ['eastus2', new Set(['http', 'ssl'])],
  ]);
  const grpc = (...enabledRegions: 'eastus2'[]) => ({
    monitorTypes: ['Grpc' as const],
    homeRegion: true,
    enabledRegions,
  });

  it('are refused with the region and the reason', () => {
    const [fault, ...others] = decideAgentFaults(kinds, null, grpc('eastus2'));
    expect(others).to.deep.equal([]);
    expect(fault).to.deep.equal({
      path: 'enabledRegions',
      message:
        'cannot have Grpc in eastus2: no agent that is connected there can run it. Upgrade an agent of eastus2, or leave the region out',
    });
    const http = { monitorTypes: ['HttpAvailability' as const, 'Dns' as const], homeRegion: true, enabledRegions: [] };
    expect(decideAgentFaults(kinds, null, http).map(({ path }) => path)).to.deep.equal(['monitorTypes']);
  });

  it('are accepted where no agent is connected, and heartbeats, which no agent runs, everywhere', () => {
    expect(decideAgentFaults(new Map(), null, grpc('eastus2'))).to.deep.equal([]);
    expect(
      decideAgentFaults(kinds, null, { monitorTypes: ['Heartbeat'], homeRegion: true, enabledRegions: [] }),
    ).to.deep.equal([]);
  });

  it('stay where a monitor has them already, and are refused in a region that is new to it', () => {
    expect(decideAgentFaults(kinds, grpc('eastus2'), grpc('eastus2'))).to.deep.equal([]);
    expect(decideAgentFaults(kinds, grpc(), grpc('eastus2'))).to.have.length(1);
  });
});
