import type { Via } from '@watchpost/control-plane/platform/identity/caller';

/** The origin of changes that a test makes directly. */
export const TEST_VIA: Via = { channel: 'rest', client: null, requestId: 'test', remoteAddress: '127.0.0.1' };
