import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EvidenceLinks1763700000047 implements MigrationInterface {
  name = 'EvidenceLinks1763700000047';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The links to the evidence of incidents that messages carry, one per incident and channel. The link holds the id, signed.
      CREATE TABLE evidence_link (
        id uuid CONSTRAINT evidence_link_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT evidence_link_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        incident_id uuid NOT NULL CONSTRAINT evidence_link_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
        -- 'any': of a version whose links were the same on all channels
        channel text NOT NULL,
        created timestamptz(3) NOT NULL,
        CONSTRAINT evidence_link_once_key UNIQUE (incident_id, channel),
        CONSTRAINT evidence_link_channel_check
          CHECK (channel IN ('email', 'sms', 'webhook', 'slack', 'teams', 'any'))
      );
      CREATE INDEX evidence_link_workspace_idx ON evidence_link (workspace_id);

      -- Links that were sent before this hold the id of their incident, signed in the same way: they go on working.
      INSERT INTO evidence_link (id, workspace_id, incident_id, channel, created)
        SELECT id, workspace_id, id, 'any', created FROM incident
        WHERE NOT is_closed OR last_modified > now() - interval '30 days';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE evidence_link');
  }
}
