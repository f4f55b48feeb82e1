export { isClosedWithoutRecovery } from './closed-without-recovery.js';
export { addTimelineEntries, readTimeline } from './timeline.js';
export {
  TIMELINE_EVENT_TYPES,
  type TimelineEntry,
  type TimelineEvent,
  type TimelineEventType,
  type TimelineRow,
} from './timeline-event.js';
