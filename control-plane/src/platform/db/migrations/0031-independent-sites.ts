import { getDomain } from 'tldts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PAGE = 5_000;

export class IndependentSites1763700000031 implements MigrationInterface {
  name = 'IndependentSites1763700000031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- site: the registrable domain of the URL's host, or the host where it is an address; empty where nobody wrote it.
      -- owner_id: who owns the workspace; null where that is gone.
      ALTER TABLE monitor ADD COLUMN site text NOT NULL DEFAULT '', ADD COLUMN owner_id uuid;
      -- No agent has to hear of this.
      ALTER TABLE monitor DISABLE TRIGGER USER;
      UPDATE monitor SET owner_id = workspace.owner_id FROM workspace WHERE workspace.id = monitor.workspace_id;
    `);
    for (let last = '0'; ;) {
      const rows = (await runner.query(
        `SELECT key::text, lower(coalesce(substring(url FROM '^[A-Za-z]+://\\[([^\\]]*)\\]'),
           substring(url FROM '^(?:[A-Za-z]+://)?([^/:?#]+)'), url)) AS host
         FROM monitor WHERE key > $1 ORDER BY key LIMIT ${PAGE}`,
        [last],
      )) as { key: string; host: string }[];
      if (rows.length === 0) break;
      last = rows.at(-1)!.key;
      await runner.query(
        `UPDATE monitor SET site = found.site FROM unnest($1::bigint[], $2::text[]) AS found (key, site)
         WHERE monitor.key = found.key`,
        [rows.map(({ key }) => key), rows.map(({ host }) => getDomain(host, { allowPrivateDomains: true }) ?? host)],
      );
    }
    await runner.query(`
      ALTER TABLE monitor ENABLE TRIGGER USER;
      CREATE FUNCTION monitor_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.owner_id := coalesce((SELECT owner_id FROM workspace WHERE id = NEW.workspace_id), NEW.owner_id);
        RETURN NEW;
      END $$;
      -- A workspace that changes hands touches its monitors, and so they follow it.
      CREATE TRIGGER monitor_owner BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_owner();

      -- For how many owners a region checks whether something is there, and how many monitors of each: exact after every
      -- change of a monitor.
      CREATE TABLE region_owner (
        owner_id uuid NOT NULL,
        -- API name
        region text NOT NULL,
        monitors integer NOT NULL,
        CONSTRAINT region_owner_pkey PRIMARY KEY (owner_id, region)
      );
      CREATE INDEX region_owner_region_idx ON region_owner (region);
      INSERT INTO region_owner (owner_id, region, monitors)
      SELECT owner_id, region, count(*) FROM monitor, unnest(array_append(enabled_regions, 'northeurope')) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = 'enabled'
        AND monitor_types && '{HttpAvailability,Latency,TcpUdp}'
      GROUP BY owner_id, region;

      CREATE FUNCTION count_region_owners() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved text := CASE TG_OP WHEN 'INSERT' THEN 'SELECT 1 AS change, * FROM after' WHEN 'DELETE' THEN 'SELECT -1 AS change, * FROM before'
          ELSE 'SELECT 1 AS change, * FROM after UNION ALL SELECT -1, * FROM before' END;
      BEGIN
        EXECUTE 'INSERT INTO region_owner AS known (owner_id, region, monitors)
          SELECT owner_id, region, sum(change) FROM (' || moved || ') AS moved, unnest(array_append(enabled_regions, ''northeurope'')) AS region
          WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = ''enabled''
            AND monitor_types && ''{HttpAvailability,Latency,TcpUdp}''
          GROUP BY owner_id, region HAVING sum(change) <> 0 ORDER BY owner_id, region
          ON CONFLICT (owner_id, region) DO UPDATE SET monitors = known.monitors + excluded.monitors';
        IF TG_OP <> 'INSERT' THEN
          DELETE FROM region_owner WHERE monitors <= 0 AND owner_id IN (SELECT owner_id FROM before);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER monitor_regions_added AFTER INSERT ON monitor REFERENCING NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
      CREATE TRIGGER monitor_regions_changed AFTER UPDATE ON monitor REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
      CREATE TRIGGER monitor_regions_removed AFTER DELETE ON monitor REFERENCING OLD TABLE AS before
        FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();

      DROP VIEW suspicion_subject;
      CREATE VIEW suspicion_subject AS
      SELECT key AS monitor_key, owner_id, site FROM monitor WHERE deleted_at IS NULL AND owner_id IS NOT NULL;
      DROP FUNCTION site_of_url;
      DROP TABLE region_load;

      -- Of the last failure: whether the target itself reported it over verified TLS, and the /24 or /48 it came from.
      ALTER TABLE region_state ADD COLUMN answer_verified boolean NOT NULL DEFAULT false, ADD COLUMN failed_network text;
      ALTER TABLE check_failure ADD COLUMN answer_verified boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE check_failure DROP COLUMN answer_verified;
      ALTER TABLE region_state DROP COLUMN answer_verified, DROP COLUMN failed_network;
      CREATE TABLE region_load (
        region smallint CONSTRAINT region_load_pkey PRIMARY KEY,
        sites integer NOT NULL,
        counted timestamptz(3) NOT NULL
      );
      CREATE FUNCTION site_of_url(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN host ~ '^[0-9.]+$' OR host ~ ':' THEN host
          ELSE coalesce(substring(host FROM '[^.]+\\.(?:co|com|net|org|ac|gov|edu|or|ne|go)\\.[^.]{2}$'), substring(host FROM '[^.]+\\.[^.]+$'), host) END
        FROM (SELECT lower(coalesce(substring(url FROM '^[A-Za-z]+://\\[([^\\]]*)\\]'),
          substring(url FROM '^(?:[A-Za-z]+://)?([^/:?#]+)'), url)) AS host) AS parsed
      $$;
      DROP VIEW suspicion_subject;
      CREATE VIEW suspicion_subject AS
      SELECT key AS monitor_key, workspace_id, site_of_url(url) AS site FROM monitor WHERE deleted_at IS NULL;
      DROP TRIGGER monitor_regions_added ON monitor;
      DROP TRIGGER monitor_regions_changed ON monitor;
      DROP TRIGGER monitor_regions_removed ON monitor;
      DROP FUNCTION count_region_owners;
      DROP TABLE region_owner;
      DROP TRIGGER monitor_owner ON monitor;
      DROP FUNCTION monitor_owner;
      ALTER TABLE monitor DROP COLUMN site, DROP COLUMN owner_id;
    `);
  }
}
