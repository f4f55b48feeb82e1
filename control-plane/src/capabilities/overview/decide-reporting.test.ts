import { expect } from 'chai';
import { decideReporting } from './decide-reporting.js';

const fresh = (kind: 'http' | 'ssl' | 'tcpUdp', region: 'northeurope' | 'eastus2' | 'westus3') => ({ kind, region });

describe('Regions failing, of regions reporting', () => {
  it('count a silent region for neither', () => {
    const incident = { incidentType: 'Availability', regions: ['northeurope', 'eastus2'] };
    expect(decideReporting(incident, [fresh('http', 'northeurope'), fresh('http', 'westus3')])).to.deep.equal({
      regionsFailing: 1,
      regionsReporting: 2,
    });
  });

  it('are those of the checks that the incident is about, each region once', () => {
    const reporting = [fresh('http', 'northeurope'), fresh('tcpUdp', 'northeurope'), fresh('ssl', 'eastus2')];
    expect(decideReporting({ incidentType: 'SslExpiry', regions: ['eastus2'] }, reporting)).to.deep.equal({
      regionsFailing: 1,
      regionsReporting: 1,
    });
    expect(decideReporting({ incidentType: 'Availability', regions: [] }, reporting)).to.deep.equal({
      regionsFailing: 0,
      regionsReporting: 1,
    });
  });
});
