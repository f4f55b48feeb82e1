import { z } from 'zod';
import { parseUrl } from '../parse-url.js';
import { defineCheck, headers, payload, type TargetOf } from './define-check.js';
import { answered, down } from './fault-kind.js';

/** A WebSocket (RFC 6455): the upgrade, and a message that the server sends. */
export const webSocketCheck = defineCheck({
  kind: 'webSocket',
  code: 6,
  target: {
    /** `ws://` or `wss://`. */
    url: z.string(),
    headers,
    subprotocol: z.string().nullable().default(null),
    /** One message: of text, or of bytes. */
    send: payload,
    /** One message of the server contains this; null: the upgrade is enough. */
    expect: payload,
  },
  hostOf: ({ url }) => parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '',
  usesTls: ({ url }) => url.startsWith('wss:'),
  faults: {
    ws_refused: answered(
      'firstByte',
      'unexpected_status',
      'The server at {address} answered the request for a WebSocket with status {status} where 101 was expected.',
    ),
    ws_no_handshake: answered(
      'firstByte',
      'protocol_error',
      'The answer from {address} to the request for a WebSocket is not valid: {why}.',
    ),
    ws_violation: answered(
      'transfer',
      'protocol_error',
      'The server at {address} violates the protocol of WebSockets: {why}.',
    ),
    ws_closed: answered(
      'content',
      'unexpected_answer',
      'The server at {address} closed the WebSocket ({code}) before a message contained {expected}.',
    ),
    ws_cut: down(
      'transfer',
      'connection_reset',
      'The connection to {address} ended before a message of the WebSocket contained {expected}.',
    ),
    ws_unexpected: answered(
      'content',
      'unexpected_answer',
      'The server at {address} sent {limit} KiB over the WebSocket, and no message that contains {expected}.',
    ),
    ws_slow: down(
      'transfer',
      'timeout',
      'The server at {address} sent {count} over the WebSocket and, within {seconds} s, none that contains {expected}.',
    ),
  },
});
export type WebSocketTarget = TargetOf<typeof webSocketCheck>;
