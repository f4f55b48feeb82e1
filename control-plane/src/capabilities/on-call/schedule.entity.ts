import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdentityColumn, JsonColumn, TimeColumn, CreatedEntity, DatedEntity } from '../../platform/db/columns.js';
import type { ReminderKind } from './decide-shift-reminders.js';
import type { FormerLayers } from './decide-on-call.js';
import type { LayerSettings } from './decide-rotation.js';
import type { SwapState } from './swap-schemas.js';

/** A schedule of a team. */
@Entity('on_call_schedule')
@Index('on_call_schedule_team_idx', ['teamId', 'seq'])
@Index('on_call_schedule_remind_idx', ['remindAt'])
@Index('on_call_schedule_holidays_idx', ['holidaysDue'])
export class OnCallScheduleEntity extends DatedEntity {
  @IdentityColumn('bigint') seq!: number;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('team', { name: 'on_call_schedule_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('text') name!: string;
  @Column('text') timezone!: string;
  @JsonColumn() layers!: StoredLayer[];
  @JsonColumn({ default: [] }) former!: FormerLayers[];
  @JsonColumn({ default: [] }) holidays!: string[];
  /** Where `holidays` are read from. */
  @JsonColumn({ nullable: true }) holidayCalendar?: HolidayCalendar | null;
  /** When the calendar is read again. */
  @TimeColumn({ nullable: true }) holidaysDue?: Date | null;
  /** When reminders of shifts are looked for again; null: now. */
  @TimeColumn({ nullable: true }) remindAt?: Date | null;
}

/** A calendar of holidays that a schedule follows. */
export interface HolidayCalendar {
  url: string;
  /** When it was read last, as ISO 8601; null before it was. */
  fetchedAt: string | null;
  /** Why it could not be read at the last attempt, as the end of a sentence. */
  fault: string | null;
}

/** A reminder of a shift that was sent. */
@Entity('shift_reminder')
export class ShiftReminderEntity {
  @Column('uuid') workspaceId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('on_call_schedule', { name: 'shift_reminder_schedule_fk', onDelete: 'CASCADE' })
  scheduleId!: string;

  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('timestamptz', { precision: 3 }) shiftStart!: Date;
  @PrimaryColumn('text') kind!: ReminderKind;
}

/** A layer without its participants; `turns` is the length of a round. */
export interface StoredLayer extends LayerSettings {
  turns: number;
}

/** A turn in a layer and the person who takes it. */
@Entity('on_call_participant')
@Index('on_call_participant_user_key', ['scheduleId', 'layer', 'userId'], { unique: true })
@Index('on_call_participant_member_idx', ['teamId', 'userId'])
@ForeignKey('team_member', ['teamId', 'userId'], ['teamId', 'userId'], {
  name: 'on_call_participant_member_fk',
  onDelete: 'CASCADE',
})
export class OnCallParticipantEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('on_call_schedule', { name: 'on_call_participant_schedule_fk', onDelete: 'CASCADE' })
  scheduleId!: string;

  @PrimaryColumn('integer') layer!: number;
  @PrimaryColumn('integer') turn!: number;
  @Column('uuid') userId!: string;
  @Column('uuid') teamId!: string;
  @Column('uuid') workspaceId!: string;
}

/** An exception from the rotation. */
@Entity('on_call_override')
@Index('on_call_override_team_idx', ['teamId', 'userId'])
@Index('on_call_override_schedule_idx', ['scheduleId'])
@Index('on_call_override_swap_idx', ['swapId'])
@Check('on_call_override_span_check', 'starts < ends')
@ForeignKey('team_member', ['teamId', 'userId'], ['teamId', 'userId'], {
  name: 'on_call_override_member_fk',
  onDelete: 'CASCADE',
})
export class OnCallOverrideEntity extends CreatedEntity {
  @IdentityColumn('bigint') seq!: number;
  @Column('uuid') workspaceId!: string;
  @Column('uuid') teamId!: string;

  @Column('uuid')
  @ForeignKey('on_call_schedule', { name: 'on_call_override_schedule_fk', onDelete: 'CASCADE' })
  scheduleId!: string;

  @Column('uuid') userId!: string;
  @TimeColumn() starts!: Date;
  @TimeColumn() ends!: Date;
  @Column('text', { nullable: true }) reason!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('on_call_swap', { name: 'on_call_override_swap_fk', onDelete: 'CASCADE' })
  swapId!: string | null;
}

/** A request that somebody else takes a shift. */
@Entity('on_call_swap')
@Index('on_call_swap_schedule_idx', ['scheduleId', 'created', 'id'])
@Index('on_call_swap_state_idx', ['state', 'shiftStart'])
@Check('on_call_swap_state_check', "state IN ('open', 'taken', 'declined', 'expired', 'withdrawn', 'void')")
@Check('on_call_swap_taken_check', "state <> 'taken' OR taken_by IS NOT NULL")
export class OnCallSwapEntity extends DatedEntity {
  @Column('uuid') workspaceId!: string;
  @Column('uuid') teamId!: string;

  @Column('uuid')
  @ForeignKey('on_call_schedule', { name: 'on_call_swap_schedule_fk', onDelete: 'CASCADE' })
  scheduleId!: string;

  /** The person on that shift. */
  @Column('uuid') userId!: string;
  /** The person who is asked; null: everybody of the team. */
  @Column('uuid', { nullable: true }) withUserId!: string | null;
  @Column('uuid', { nullable: true }) takenBy!: string | null;
  @Column('text') state!: SwapState;
  @TimeColumn() shiftStart!: Date;
  @TimeColumn() shiftEnd!: Date;
}

/** A link by which calendar programs read the calendar of a team. */
@Entity('on_call_calendar_link')
@Index('on_call_calendar_link_hash_key', ['hash'], { unique: true })
@Index('on_call_calendar_link_member_idx', ['workspaceId', 'userId'])
@Index('on_call_calendar_link_team_idx', ['teamId', 'created', 'id'])
@ForeignKey('workspace_member', ['workspaceId', 'userId'], ['workspaceId', 'userId'], {
  name: 'on_call_calendar_link_member_fk',
  onDelete: 'CASCADE',
})
export class OnCallCalendarLinkEntity extends CreatedEntity {
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('team', { name: 'on_call_calendar_link_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('uuid') userId!: string;
  @Column('bytea') hash!: Buffer;
  @Column('text') name!: string;
  @TimeColumn({ nullable: true }) lastRead!: Date | null;
}

/** The link in a mail by which a person answers a swap, once. */
@Entity('swap_link')
@Index('swap_link_swap_idx', ['swapId'])
@Index('swap_link_user_idx', ['userId'])
export class SwapLinkEntity {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('on_call_swap', { name: 'swap_link_swap_fk', onDelete: 'CASCADE' })
  swapId!: string;

  @Column('uuid')
  @ForeignKey('user_account', { name: 'swap_link_user_fk', onDelete: 'CASCADE' })
  userId!: string;
}
