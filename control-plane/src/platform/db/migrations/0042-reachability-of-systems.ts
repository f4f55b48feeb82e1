import type { MigrationInterface, QueryRunner } from 'typeorm';

const view = (more: string): string => `
      CREATE VIEW status_page_monitor AS
      SELECT system.page_id, system.id AS system_id, member.key AS monitor_key, member.monitoring_status,
        state.verdict, state.health_status${more}
      FROM status_page_system system
      CROSS JOIN LATERAL (
        SELECT monitor.key, monitor.monitoring_status, monitor.monitor_types FROM monitor
        WHERE monitor.id = system.monitor_id AND monitor.deleted_at IS NULL
        UNION ALL
        SELECT monitor.key, monitor.monitoring_status, monitor.monitor_types FROM monitor
        WHERE monitor.service_group_id = system.service_group_id AND monitor.deleted_at IS NULL
      ) member
      LEFT JOIN monitor_state state ON state.monitor_key = member.key;
`;

/** Latency is measured by the HTTP check. */
const REACHABILITY = `,
        member.monitor_types && ARRAY['HttpAvailability', 'Latency', 'TcpUdp'] AS checks_reachability`;

export class ReachabilityOfSystems1763700000042 implements MigrationInterface {
  name = 'ReachabilityOfSystems1763700000042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW status_page_monitor; ${view(REACHABILITY)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW status_page_monitor; ${view('')}`);
  }
}
