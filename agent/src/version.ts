/** Sent to the control plane and, as User-Agent, to checked sites. */
export const AGENT_VERSION = '0.1.0';
