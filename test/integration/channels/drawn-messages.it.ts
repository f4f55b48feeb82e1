import { expect } from 'chai';

/** No compiler reads what `npm run screenshots` is made of. */
const DRAWING = new URL('../../../../scripts/acme/channel-messages.mjs', import.meta.url).href;

describe('the picture of messages for the documentation', () => {
  it('has the first message of an incident as three services draw it', async () => {
    const { channelMessages } = (await import(DRAWING)) as { channelMessages: (nowMs: number) => string };
    const page = channelMessages(Date.UTC(2026, 10, 18));
    for (const part of ['Discord', 'Slack', 'PagerDuty', 'Checkout']) expect(page).to.include(part);
    expect(page).not.to.match(/undefined|\[object/);
  });
});
