import type { Via } from '@watchpost/control-plane/platform/identity/caller';

/** Of verbs that a test calls by itself. */
export const TEST_VIA: Via = { channel: 'rest', client: null, requestId: 'test', remoteAddress: '127.0.0.1' };
