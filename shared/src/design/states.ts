/** The states that anything watched can be in. Unknown never looks like available. */
export const STATES = ['available', 'partial', 'unavailable', 'unknown', 'maintenance', 'paused'] as const;
export type State = (typeof STATES)[number];

/**
 * A mark of 16 × 16, as SVG path data in the current colour: what is filled, and what is a line 1.8 wide, dashed or not. The
 * shapes differ without their colours.
 */
export interface StateMark {
  fill?: string;
  line?: string;
  dashes?: string;
}

const RING = 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2';

/** Each state has a colour (the token of its name), a shape and a word. */
export const STATE_LOOKS: Readonly<Record<State, { word: string; mark: StateMark }>> = {
  available: { word: 'Available', mark: { fill: 'M8 1a7 7 0 1 1 0 14A7 7 0 1 1 8 1' } },
  partial: { word: 'Degraded', mark: { fill: 'M8 2v12A6 6 0 0 1 8 2', line: RING } },
  unavailable: {
    word: 'Down',
    mark: { fill: 'M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z' },
  },
  unknown: { word: 'Unknown', mark: { line: RING, dashes: '2.6 2.11' } },
  maintenance: { word: 'Maintenance', mark: { line: 'M2.4 2.4h11.2v11.2H2.4zM2.4 9.6l7.2-7.2M6.4 13.6l7.2-7.2' } },
  paused: { word: 'Paused', mark: { fill: 'M3 2h3.6v12H3zM9.4 2H13v12H9.4z' } },
};

/** A status under a name of its own: the state that it looks like, and its word. */
export interface NamedState {
  state: State;
  word: string;
}

/** The status of a system, as visitors of a status page read it. */
export const PUBLIC_LOOKS = {
  operational: { state: 'available', word: 'Operational' },
  degraded: { state: 'partial', word: 'Degraded' },
  partialOutage: { state: 'partial', word: 'Partial outage' },
  majorOutage: { state: 'unavailable', word: 'Major outage' },
  maintenance: { state: 'maintenance', word: 'Maintenance' },
  unknown: { state: 'unknown', word: 'Unknown' },
} as const satisfies Record<string, NamedState>;
export type PublicStatus = keyof typeof PUBLIC_LOOKS;
export const PUBLIC_STATUSES = Object.keys(PUBLIC_LOOKS) as PublicStatus[];

/** The status of a post on a status page. */
export const POST_LOOKS = {
  investigating: { state: 'unavailable', word: 'Investigating' },
  identified: { state: 'partial', word: 'Identified' },
  monitoring: { state: 'partial', word: 'Monitoring' },
  resolved: { state: 'available', word: 'Resolved' },
  scheduled: { state: 'maintenance', word: 'Scheduled' },
} as const satisfies Record<string, NamedState>;
export type PostStatus = keyof typeof POST_LOOKS;
export const POST_STATUSES = Object.keys(POST_LOOKS) as PostStatus[];
