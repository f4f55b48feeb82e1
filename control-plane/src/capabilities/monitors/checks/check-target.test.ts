import { expect } from 'chai';
import { httpCheck, type HttpTarget } from '@watchpost/shared/checks/http';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { decideNewSettings } from '../settings/decide-monitor-settings.js';
import { monitorInputSchemas } from '../settings/monitor-input-schemas.js';
import { checkTarget } from './check-target.js';

const url = 'https://shop.example/';
const { create } = monitorInputSchemas({ egress: createEgressPolicy({ allowCidrs: [] }) });

function targetOf(http: object): HttpTarget {
  const { settings, secrets, faults } = decideNewSettings(create.parse({ url, http }));
  expect(faults).to.deep.equal([]);
  return checkTarget('http', url, settings, () => secrets) as HttpTarget;
}

const WITH_STEPS = {
  variables: { shop: 'eu', key: { secret: 'geheim' } },
  extract: { token: { from: 'json', expression: '$.token', secret: true }, code: { from: 'status' } },
  steps: [
    {
      name: 'Read',
      url: `${url}{{shop}}`,
      method: 'POST',
      headers: { Authorization: 'Bearer {{token}}' },
      body: '{{key}}',
      expectedStatusCodes: [201, '300-399'],
      always: true,
      delay: 'PT2S',
    },
  ],
};

describe('The target of an HTTP check with steps', () => {
  it('has steps, variables and what is extracted, with their secrets', () => {
    const target = targetOf(WITH_STEPS);
    expect(httpCheck.target.parse(target)).to.deep.equal(target);
    expect(target).to.deep.include({
      variables: [
        { name: 'shop', value: 'eu', secret: false },
        { name: 'key', value: 'geheim', secret: true },
      ],
      extract: [
        { name: 'token', from: 'json', expression: '$.token', secret: true },
        { name: 'code', from: 'status', expression: '', secret: false },
      ],
      steps: [
        {
          name: 'Read',
          url: `${url}{{shop}}`,
          method: 'POST',
          headers: [{ name: 'Authorization', value: 'Bearer {{token}}' }],
          auth: null,
          body: '{{key}}',
          expectedStatus: [
            { from: 201, to: 201 },
            { from: 300, to: 399 },
          ],
          assertions: [],
          extract: [],
          always: true,
          delayMs: 2_000,
        },
      ],
    });
  });

  it('is refused by an agent that does not know steps, unlike a plain one', () => {
    const former = httpCheck.target.omit({ variables: true, extract: true, steps: true });
    const received = (http: object) => former.safeParse(JSON.parse(httpCheck.encode(targetOf(http)))).success;
    expect(received({ headers: { Authorization: 'x' }, safeToRepeat: true })).to.equal(true);
    for (const [field, value] of Object.entries(WITH_STEPS).slice(0, 2))
      expect(received({ [field]: value }), field).to.equal(false);
    expect(received(WITH_STEPS)).to.equal(false);
  });
});
