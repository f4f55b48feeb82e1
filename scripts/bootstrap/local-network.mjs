const LOOPBACK = '127.0.0.0/8,::1/128';

/** A first trial often checks a site on the same machine or network. */
export const LOCAL_NETWORK = {
  PROBE_ALLOW_CIDRS: `${LOOPBACK},10.0.0.0/8,172.16.0.0/12,192.168.0.0/16`,
  WEBHOOK_ALLOW_CIDRS: LOOPBACK,
};
