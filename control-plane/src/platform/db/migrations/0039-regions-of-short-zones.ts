import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** What ICU means by the short names that it has beside the IANA database, by which documents and cron expressions went. */
const REGIONS = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Argentina/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Maputo',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Nairobi',
  ECT: 'Europe/Paris',
  IET: 'America/Indiana/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Ho_Chi_Minh',
};

/** Replaces short names of time zones, which were accepted although nothing can be computed in them, by their regions. */
export class RegionsOfShortZones1763900000039 implements Migration {
  readonly name = 'RegionsOfShortZones1763900000039';

  async up(runner: QueryRunner): Promise<void> {
    const change = (table: string, assignment: string, zone: string) =>
      runner.query(`UPDATE ${table} SET ${assignment} WHERE $1::jsonb ? upper(${zone})`, [JSON.stringify(REGIONS)]);
    for (const table of ['workspace', 'on_call_schedule', 'maintenance_window'])
      await change(table, 'timezone = $1::jsonb ->> upper(timezone)', 'timezone');
    for (const [table, column, path] of [
      ['monitor', 'heartbeat', '{timezone}'],
      ['workspace_member', 'notification_preferences', '{quietHours,timezone}'],
    ] as const) {
      const zone = `${column} #>> '${path}'`;
      await change(table, `${column} = jsonb_set(${column}, '${path}', $1::jsonb -> upper(${zone}))`, zone);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
