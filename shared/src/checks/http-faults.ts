import { answered, down } from './fault-kind.js';

export const HTTP_FAULTS = {
  request_cut: down(
    'request',
    'connection_reset',
    'The server at {address} closed the connection while the request was being sent.',
  ),
  request_timeout: down('request', 'timeout', 'The request to {address} was not accepted within {seconds} s.'),
  answer_missing: down(
    'firstByte',
    'protocol_error',
    'The server at {address} closed the connection without an answer.',
  ),
  answer_reset: down(
    'firstByte',
    'connection_reset',
    'The server at {address} reset the connection without an answer.',
  ),
  answer_timeout: down('firstByte', 'timeout', 'No answer from {address} within {seconds} s.'),
  headers_timeout: down(
    'firstByte',
    'timeout',
    'The server at {address} began to answer, and did not send all headers within {seconds} s.',
  ),
  headers_cut: down(
    'firstByte',
    'protocol_error',
    'The server at {address} closed the connection in the middle of the headers.',
  ),
  headers_too_large: answered(
    'firstByte',
    'protocol_error',
    'The headers of the answer from {address} are larger than {limit} KiB.',
  ),
  answer_not_http: answered('firstByte', 'protocol_error', 'The answer from {address} is not HTTP: {why}.'),
  answer_not_http2: answered('firstByte', 'protocol_error', 'The answer from {address} is not HTTP/2: {why}.'),
  answer_ended: down(
    'firstByte',
    'connection_reset',
    'The server at {address} ended the request without an answer ({how}).',
  ),
  http2_silent: down(
    'firstByte',
    'timeout',
    'The server at {address} did not begin to speak HTTP/2 within {seconds} s: it sent no SETTINGS.',
  ),
  answer_never_final: answered(
    'firstByte',
    'protocol_error',
    'The server at {address} sent more than {limit} interim answers and no final one.',
  ),

  body_timeout: down(
    'transfer',
    'timeout',
    'The answer from {address} was not complete within {seconds} s; {bytes} bytes of its body had arrived.',
  ),
  body_cut: down(
    'transfer',
    'protocol_error',
    'The server at {address} closed the connection in the middle of the answer, after {bytes} bytes of its body.',
  ),
  body_reset: down(
    'transfer',
    'connection_reset',
    'The server at {address} reset the connection in the middle of the answer, after {bytes} bytes of its body.',
  ),
  body_ended: down(
    'transfer',
    'connection_reset',
    'The server at {address} ended the answer in the middle, after {bytes} bytes of its body ({how}).',
  ),
  body_not_http: answered(
    'transfer',
    'protocol_error',
    'The body of the answer from {address} is not valid HTTP: {why}.',
  ),

  variable_missing: answered('request', 'variable_missing', 'The variable {name} has no value: {why}.'),
  delay_timeout: down('request', 'timeout', 'The delay of {delay} s was not over within {seconds} s.'),

  digest_unusable: answered('auth', 'auth_failed', 'The server cannot be signed in to by Digest: {why}.'),
  token_timeout: down('auth', 'timeout', 'No access token from {endpoint} within {seconds} s.'),
  token_refused: down(
    'auth',
    'auth_failed',
    'No access token from {endpoint}: it answered with status {status}{error}.',
  ),
  token_unusable: down('auth', 'auth_failed', 'No access token from {endpoint}: {why}.'),

  bad_redirect: down('content', 'bad_redirect', 'The redirect from {from} cannot be followed: {why}.'),
  too_many_redirects: down(
    'content',
    'too_many_redirects',
    'The server redirected more than {limit} times, last to {to}.',
  ),
  unexpected_status: down(
    'content',
    'unexpected_status',
    'The server answered with status {status} instead of {expected}.',
  ),
  keyword_missing: down('content', 'keyword_missing', 'The answer does not contain the keyword “{keyword}”{within}.'),
  keyword_present: down(
    'content',
    'keyword_present',
    'The answer contains the keyword “{keyword}”, which must not be there.',
  ),
  assertion_failed: down('content', 'assertion_failed', '{first} ({failed} of {all} assertions failed).'),
  body_unreadable: answered(
    'content',
    'protocol_error',
    'The keyword could not be searched for: the body of the answer is not valid {coding} data.',
  ),
} as const;
