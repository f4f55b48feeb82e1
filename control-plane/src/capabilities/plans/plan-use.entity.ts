import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** A principal, as a hash, that has had its trial. It outlives the account. */
@Entity('spent_trial')
export class SpentTrialEntity {
  @PrimaryColumn('bytea') principal!: Buffer;
  @TimeColumn() spent!: Date;
}

/** What a principal, as a hash, has spent of a daily budget. */
@Entity('daily_budget')
@Index('daily_budget_day_idx', ['day'])
export class DailyBudgetEntity {
  @PrimaryColumn('bytea') principal!: Buffer;
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('text') kind!: string;
  @Column('integer') spent!: number;
}
