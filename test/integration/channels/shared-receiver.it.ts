import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { createEgressAgent } from '@watchpost/control-plane/capabilities/channels/sending/egress-agent';
import { isOutcome, postBody } from '@watchpost/control-plane/capabilities/channels/sending/post-body';
import { answer, hang, startWebhookReceiver } from '../../support/webhook-receiver.js';

/** The webhook slots of one process. */
const SLOTS = 64;

describe('Receivers at one host', () => {
  it('do not wait for slow ones of other tenants at the same host', async () => {
    const host = await startWebhookReceiver();
    host.always((call, ...rest) => (call.path === '/slow' ? hang : answer(204))(call, ...rest));
    const dispatcher = createEgressAgent(createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] }));
    const post = (path: string) =>
      postBody({ url: `${host.url}${path}`, headers: {}, body: '{}', dispatcher, nowMs: 0, tryMs: 5_000 });
    const slow = Array.from({ length: SLOTS - 1 }, () => post('/slow'));
    const answered = await post('/fast');
    expect(isOutcome(answered) ? answered.answer : answered.statusCode).to.equal(204);
    await dispatcher.destroy();
    await Promise.all(slow);
    await host.stop();
  });
});
