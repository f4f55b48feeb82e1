/** Sent as the user agent, by which the audit log records `via: cli`. */
export const CLI_VERSION = '0.1.0';
