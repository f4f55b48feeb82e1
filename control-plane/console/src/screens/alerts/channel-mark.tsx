import type { ChannelView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';

/** Drawings of our own, of 24 × 24, by type or else by category. */
const MARKS: Readonly<Record<string, string>> = {
  chat: 'M4 4h16v12H10l-5 4v-4H4zM8 8.5h8M8 12h5',
  incidents: 'M12 3.5 21 19H3zM12 9.5v4.5M12 16.6v.1',
  push: 'M6 17v-6a6 6 0 0 1 12 0v6l2 1H4zM10 21h4',
  people: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20.5c.6-4 3.6-6 8-6s7.4 2 8 6',
  other: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  email: 'M3 6h18v12H3zM3 7l9 6.5L21 7',
  sms: 'M7 2.5h10v19H7zM11 18.5h2M10 6h4M10 9h4',
  voice: 'M7 3l3 5-2 2c1 3 3 5 6 6l2-2 5 3c0 2-2 4-4 4C9 20 4 14 3 7c0-2 2-4 4-4z',
  slack: 'M10 4 8 20M16 4l-2 16M4 9.5h16M4 14.5h16',
  teams:
    'M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3 20c0-4 2-6 6-6s6 2 6 6M16 5.5a2.6 2.6 0 0 1 0 5.2M17.5 14.5c2.5.7 3.5 2.5 3.5 5.5',
  discord:
    'M7 7.5h10c3 0 4 4 4 7s-2 4-4 2l-1.5-1.5h-7L7 16.5c-2 2-4 1-4-2s1-7 4-7zM8 10v3M6.5 11.5h3M15.5 11v.1M17.5 12.5v.1',
  telegram: 'M3 11.5 21 4l-4 16-6-5-3 4v-6.5l8-5.5',
  googleChat: 'M3 4h13v9.5H9L6 17v-3.5H3zM19 8.5h2V18h-2v3l-3-3h-5',
  mattermost: 'M12 3a9 9 0 1 0 9 9M12 8a4 4 0 1 0 4 4M12 12l7.5-7.5',
  rocketChat: 'M12 2.5c4 3 5 8 3 13.5H9C7 10.5 8 5.5 12 2.5zM9 13l-4 3v4.5l4-3M15 13l4 3v4.5l-4-3M12 8.5v.1',
  matrix: 'M6 3.5H3.5v17H6M18 3.5h2.5v17H18M8 16.5V9M8 11.5c0-3 4-3 4 0v5M12 11.5c0-3 4-3 4 0v5',
  ntfy: 'M3 5h18v14H3zM7 9l3 3-3 3M12.5 15.5h4.5',
  pushover: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM10 17l2-10h2.5c3 0 3 5.5-1 5.5H11',
  apprise: 'M4 10v4h4l9 5V5l-9 5zM20 9v6M8 14l1 6h3',
  incidentIo: 'M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-3 2-4 3-6.5 1 2 2 2.5 3 2.5 1-2 0-5 0-7z',
  pagerduty: 'M4 6h16v12H4zM7 9h10v4H7zM7 15.5h2M12 15.5h5',
  jiraServiceManagement: 'M13.5 2.5 5 13.5h5.5L10 21.5l9-11.5h-6z',
};

/** A decoration: the name is beside it. */
export function ChannelMark({ of: { type, category } }: { of: Pick<ChannelView, 'type' | 'category'> }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={MARKS[type] ?? MARKS[category]} />
    </svg>
  );
}
