export const READ_TABLES = [
  'monitor',
  'tag',
  'monitor_tag',
  'domain_expiry',
  'notification',
  'monitor_notification',
  'status_page',
  'status_page_cname',
  'group',
  'monitor_group',
  'incident',
  'maintenance',
  'monitor_maintenance',
  'maintenance_status_page',
  'proxy',
  'docker_host',
  'remote_browser',
  'setting',
  'user',
  'api_key',
] as const;

/** Tables that are counted only, with the reason why they are not taken over. */
export const COUNTED_TABLES: Readonly<Record<string, string>> = {
  heartbeat: 'history of checks: history begins anew here',
  stat_minutely: 'history of checks: history begins anew here',
  stat_hourly: 'history of checks: history begins anew here',
  stat_daily: 'history of checks: history begins anew here',
  monitor_tls_info: 'certificates that were seen: the first check reads them again',
  notification_sent_history:
    'which warnings about certificates were sent: the next ones are sent by the thresholds here',
  maintenance_timeslot: 'dates of maintenance, which are computed here',
  knex_migrations: 'bookkeeping of the database',
  knex_migrations_lock: 'bookkeeping of the database',
  sqlite_sequence: 'bookkeeping of the database',
};
