import { HOUR_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import { decideHeartbeatSettings } from './decide-heartbeat-settings.js';

const decide = (...args: Parameters<typeof decideHeartbeatSettings>) => {
  const { settings, faults } = decideHeartbeatSettings(...args);
  return { settings, at: faults.map(({ path }) => path) };
};
const hourly = decide(null, { every: HOUR_MS }, 'Europe/Dublin').settings;
const nightly = decide(null, { cron: '30 2 * * *' }, 'Europe/Dublin').settings;

describe('Settings of a heartbeat', () => {
  it('begin with five minutes of grace, any run time, and the time zone of the workspace for cron', () => {
    expect(hourly).to.deep.equal({
      everyMs: HOUR_MS,
      cron: null,
      timezone: null,
      graceMs: 300_000,
      maxRuntimeMs: null,
    });
    expect(nightly).to.include({ everyMs: null, cron: '30 2 * * *', timezone: 'Europe/Dublin' });
  });

  it('have exactly one of `every` and `cron`, and naming one replaces the other', () => {
    expect(decide(hourly, { cron: '0 * * * *', timezone: 'Asia/Kolkata' }, 'UTC')).to.deep.equal({
      settings: { ...hourly, everyMs: null, cron: '0 * * * *', timezone: 'Asia/Kolkata' },
      at: [],
    });
    expect(decide(nightly, { every: HOUR_MS }, 'UTC').settings).to.deep.equal(hourly);
    expect(decide(null, {}, 'UTC').at).to.deep.equal(['heartbeat']);
    expect(decide(hourly, { every: null }, 'UTC').at).to.deep.equal(['heartbeat']);
    expect(decide(null, { every: HOUR_MS, cron: '0 * * * *' }, 'UTC').at).to.deep.equal(['heartbeat']);
    expect(decide(hourly, { timezone: 'UTC' }, 'UTC').at).to.deep.equal(['heartbeat.timezone']);
  });

  it('keep what is not named', () => {
    const limited = decide(nightly, { grace: 60_000, maxRuntime: HOUR_MS }, 'UTC').settings;
    expect(limited).to.deep.equal({ ...nightly, graceMs: 60_000, maxRuntimeMs: HOUR_MS });
    expect(decide(limited, {}, 'UTC').settings).to.deep.equal(limited);
    expect(decide(limited, { cron: '0 3 * * *' }, 'UTC').settings.timezone, 'its zone').to.equal('Europe/Dublin');
    expect(decide(limited, { maxRuntime: null, timezone: null }, 'UTC').settings).to.include({
      maxRuntimeMs: null,
      timezone: 'UTC',
    });
  });
});
