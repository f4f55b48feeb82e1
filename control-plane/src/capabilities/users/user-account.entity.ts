import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../platform/db/columns.js';
import type { LimitOverrides, PlanName } from '../plans/index.js';

/** A person or service client, identified by issuer and subject, with its plan and trial. */
@Entity('user_account')
@Unique('user_account_principal_key', ['issuer', 'subject'])
@Index('user_account_email_idx', { synchronize: false })
@Index('user_account_suspended_idx', ['id'], { where: 'suspended_at IS NOT NULL' })
@Index('user_account_trial_idx', ['trialEnds'], { where: 'trial_fallback IS NOT NULL' })
@Check('user_account_plan_check', "plan IN ('Starter', 'Growth', 'Pro', 'Enterprise')")
@Check(
  'user_account_trial_check',
  "(num_nulls(trial_plan, trial_started, trial_ends) = ANY (ARRAY[0, 3])) AND (trial_plan IN ('Growth', 'Pro', 'Enterprise')) AND (trial_fallback IN ('Starter', 'Growth', 'Pro', 'Enterprise')) AND (trial_fallback IS NULL OR trial_plan IS NOT NULL)",
)
export class UserAccountEntity extends DatedEntity {
  @Column('text') issuer!: string;
  @Column('text') subject!: string;
  @Column('text', { nullable: true }) email!: string | null;
  @Column('boolean', { default: false }) emailVerified!: boolean;
  /** When the provider reported this email; null where unknown. */
  @TimeColumn({ nullable: true }) emailAsOf!: Date | null;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { default: 'Starter' }) plan!: PlanName;
  @Column('jsonb', { default: {} }) planLimits!: LimitOverrides;
  @Column('text', { nullable: true }) trialPlan!: PlanName | null;
  @TimeColumn({ nullable: true }) trialStarted!: Date | null;
  @TimeColumn({ nullable: true }) trialEnds!: Date | null;
  @Column('text', { nullable: true }) trialFallback!: PlanName | null;
  @TimeColumn({ nullable: true }) suspendedAt!: Date | null;
  /** At the console. */
  @TimeColumn({ nullable: true, select: false }) lastSignIn?: Date | null;
  /** Up to 64 KiB, so that they are only read where they are asked for. */
  @Column('jsonb', { default: {}, select: false }) preferences!: Record<string, unknown>;
}
