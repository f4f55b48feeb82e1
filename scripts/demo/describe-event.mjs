/** An event of an incident's timeline, as a sentence. */
export function describeEvent({ type, detail }) {
  switch (type) {
    case 'opened':
      return `opened. ${detail.failureReason ?? ''}`.trim();
    case 'region_failed':
      return `${detail.region} sees it fail.`;
    case 'region_recovered':
      return `${detail.region} sees it work again.`;
    case 'severity_changed':
      return `it is ${detail.to === 'down' ? 'down' : 'partly down'} now.`;
    case 'paged':
      return `paged ${detail.people.map(({ name, channels }) => `${name} by ${channels.join(' and ')}`).join(', ')}, of the team ${detail.team}.`;
    case 'notified':
      return `notified ${detail.destination} by ${detail.channel} (${detail.event}).`;
    case 'notification_failed':
      return `a notification failed: ${detail.reason ?? detail.answer}`;
    case 'acknowledged':
      return 'acknowledged: nobody is paged for it any more.';
    default:
      return `${type.replaceAll('_', ' ')}.`;
  }
}
