import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OwnedSince1763700000056 implements MigrationInterface {
  name = 'OwnedSince1763700000056';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When the workspace came to its present owner; null: when it was made.
      ALTER TABLE workspace ADD owned_since timestamptz(3);

      -- The place of a team among those of its owner, from 1: a plan covers as many as it has, in this order. What came
      -- in with a workspace counts from that moment, so that it is behind what the owner had.
      CREATE VIEW team_rank AS
        SELECT team.id AS team_id, workspace.owner_id, row_number() OVER (
          PARTITION BY workspace.owner_id
          ORDER BY greatest(team.created, workspace.owned_since),
            coalesce(workspace.owned_since >= team.created, false), team.created, team.id
        ) AS rank
        FROM team JOIN workspace ON workspace.id = team.workspace_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW team_rank;
      ALTER TABLE workspace DROP owned_since;
    `);
  }
}
