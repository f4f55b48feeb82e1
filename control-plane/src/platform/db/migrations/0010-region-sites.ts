import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What decides whether a region is examined for correlated failures, without reading all of its series: its failing series
 * by an index that results write only when an outcome changes, and the number of different sites of each owner, exact
 * after any change of a monitor.
 */
export class RegionSites1763900000010 implements MigrationInterface {
  readonly name = 'RegionSites1763900000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- No monitor changes between the count and the trigger that keeps it.
      LOCK TABLE monitor IN SHARE ROW EXCLUSIVE MODE;
      CREATE INDEX series_failing_idx ON series (streak_since) WHERE streak_outcome = 2;
      ALTER TABLE region_owner ADD COLUMN sites integer NOT NULL DEFAULT 0;
      CREATE TABLE region_site (
        owner_id uuid NOT NULL,
        region text NOT NULL,
        site text NOT NULL,
        monitors integer NOT NULL,
        CONSTRAINT region_site_pkey PRIMARY KEY (owner_id, region, site)
      );
      INSERT INTO region_site (owner_id, region, site, monitors)
      SELECT owner_id, region, site, count(*)
      FROM monitor, unnest(array_append(enabled_regions, 'northeurope')) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = 'enabled'
        AND monitor_types && '{HttpAvailability,Latency,TcpUdp}' AND check_interval_ms <= 600000
      GROUP BY owner_id, region, site;
      UPDATE region_owner SET sites = counted.sites
      FROM (SELECT owner_id, region, count(*) AS sites FROM region_site GROUP BY owner_id, region) AS counted
      WHERE region_owner.owner_id = counted.owner_id AND region_owner.region = counted.region;
    `);
    await runner.query(COUNT_REGION_OWNERS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

// The rows of region_owner are locked first and in one order, and every row of region_site is under one of them: concurrent
// changes of an owner and region count one after the other, each from what the former has committed.
const COUNT_REGION_OWNERS = `
  CREATE OR REPLACE FUNCTION count_region_owners() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed bigint;
    moved text := 'WITH moved AS (
      SELECT owner_id, region, site, sum(change) AS monitors, sum(change) FILTER (WHERE check_interval_ms <= 600000) AS frequent
      FROM (' || CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT 1 AS change, * FROM after'
        WHEN 'DELETE' THEN 'SELECT -1 AS change, * FROM before'
        ELSE 'SELECT 1 AS change, * FROM after UNION ALL SELECT -1, * FROM before' END || ') AS row,
        unnest(array_append(enabled_regions, ''northeurope'')) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = ''enabled''
        AND monitor_types && ''{HttpAvailability,Latency,TcpUdp}''
      GROUP BY owner_id, region, site HAVING sum(change) <> 0 OR sum(change) FILTER (WHERE check_interval_ms <= 600000) <> 0
    )';
  BEGIN
    EXECUTE moved || 'INSERT INTO region_owner AS known (owner_id, region, monitors)
      SELECT owner_id, region, sum(monitors) FROM moved GROUP BY owner_id, region ORDER BY owner_id, region
      ON CONFLICT (owner_id, region) DO UPDATE SET monitors = known.monitors + excluded.monitors';
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed = 0 THEN
      RETURN NULL;
    END IF;
    EXECUTE moved || ', counted AS (
        INSERT INTO region_site AS known (owner_id, region, site, monitors)
        SELECT owner_id, region, site, frequent FROM moved WHERE frequent <> 0 ORDER BY owner_id, region, site
        ON CONFLICT (owner_id, region, site) DO UPDATE SET monitors = known.monitors + excluded.monitors
        RETURNING owner_id, region, site, monitors
      ), gained AS (
        SELECT owner_id, region, sum((counted.monitors > 0)::integer - (counted.monitors - frequent > 0)::integer) AS sites
        FROM counted JOIN moved USING (owner_id, region, site) GROUP BY owner_id, region
      )
      UPDATE region_owner SET sites = region_owner.sites + gained.sites FROM gained
      WHERE region_owner.owner_id = gained.owner_id AND region_owner.region = gained.region AND gained.sites <> 0';
    IF TG_OP <> 'INSERT' THEN
      EXECUTE moved || 'DELETE FROM region_site USING moved WHERE region_site.owner_id = moved.owner_id
        AND region_site.region = moved.region AND region_site.site = moved.site AND region_site.monitors <= 0';
      DELETE FROM region_owner WHERE region_owner.monitors <= 0 AND owner_id IN (SELECT owner_id FROM before);
    END IF;
    RETURN NULL;
  END $$;
`;
