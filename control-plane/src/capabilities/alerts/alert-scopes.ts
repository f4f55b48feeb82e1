export const READ_ALERTS = ['monitor.admin', 'alert.read'] as const;
export const WRITE_ALERTS = ['monitor.admin', 'alert.write'] as const;
