import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FormerSchedules1763700000027 implements MigrationInterface {
  name = 'FormerSchedules1763700000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When a monitor was due before it was changed: agents that were cut off go on by what they knew, and report it later.
      CREATE TABLE former_schedule (
        monitor_key bigint CONSTRAINT former_schedule_pkey PRIMARY KEY REFERENCES monitor (key) ON DELETE CASCADE,
        -- of earlier due times nobody can tell any more whether they were some
        known_since timestamptz(3) NOT NULL,
        -- every moment that was a due time of its own, oldest first
        changes timestamptz(3)[] NOT NULL,
        intervals_ms integer[] NOT NULL
      );

      -- What is forgotten because there is too much of it only widens what is taken for a due time. 37 days: after that
      -- an agent's certificate cannot be renewed, and nobody reports any more by what was forgotten.
      CREATE FUNCTION monitor_keep_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_schedule AS former (monitor_key, known_since, changes, intervals_ms)
        VALUES (OLD.key, OLD.created, ARRAY[OLD.checks_changed], ARRAY[OLD.check_interval_ms])
        ON CONFLICT (monitor_key) DO UPDATE SET
          known_since = greatest(former.known_since,
            CASE WHEN cardinality(former.changes) >= 100 THEN former.changes[1] + interval '1 ms' END,
            CASE WHEN cardinality(former.intervals_ms) >= 20 AND OLD.check_interval_ms <> ALL (former.intervals_ms)
                 THEN now() + interval '37 days' END),
          changes = CASE WHEN OLD.checks_changed = ANY (former.changes) THEN former.changes
            ELSE (former.changes || OLD.checks_changed)[greatest(1, cardinality(former.changes) - 98):] END,
          intervals_ms = CASE WHEN OLD.check_interval_ms = ANY (former.intervals_ms) THEN former.intervals_ms
            ELSE (former.intervals_ms || OLD.check_interval_ms)[greatest(1, cardinality(former.intervals_ms) - 18):] END;
        RETURN NULL;
      END $$;
      CREATE TRIGGER monitor_schedule_kept AFTER UPDATE ON monitor FOR EACH ROW
        WHEN (OLD.checks_changed <> NEW.checks_changed OR OLD.check_interval_ms <> NEW.check_interval_ms)
        EXECUTE FUNCTION monitor_keep_schedule();

      -- What monitors that were changed before this was written down had been, nobody knows.
      INSERT INTO former_schedule (monitor_key, known_since, changes, intervals_ms)
      SELECT key, now() + interval '37 days', '{}', '{}' FROM monitor WHERE checks_changed > created;

      -- Who shared the region's checks a moment ago, newest first: whoever takes a check over has to know after whom.
      ALTER TABLE fleet_region ADD COLUMN former jsonb NOT NULL DEFAULT '[]';

      -- Everything from which the due times of a monitor's checks can be told, those before its last change too.
      CREATE VIEW known_schedule AS
      SELECT monitor.key AS monitor_key, monitor.created, monitor.checks_changed, monitor.check_interval_ms AS interval_ms,
        coalesce(former.known_since, monitor.created) AS known_since, coalesce(former.changes, '{}') AS former_changes,
        coalesce(former.intervals_ms, '{}') AS former_intervals_ms
      FROM monitor LEFT JOIN former_schedule former ON former.monitor_key = monitor.key;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW known_schedule;
      ALTER TABLE fleet_region DROP COLUMN former;
      DROP TRIGGER monitor_schedule_kept ON monitor;
      DROP FUNCTION monitor_keep_schedule;
      DROP TABLE former_schedule;
    `);
  }
}
