import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { IdentityColumn, TimeColumn } from '../../platform/db/columns.js';
import { CreatedEntity } from '../../platform/db/dated-entity.js';

/** The rotation of a team. */
@Entity('on_call_schedule')
@Check(
  'on_call_schedule_day_check',
  "(rotation = 'weekly') = (handoff_day IS NOT NULL) AND (handoff_day IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'))",
)
@Check('on_call_schedule_rotation_check', "rotation IN ('daily', 'weekly')")
export class OnCallScheduleEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'on_call_schedule_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('uuid')
  workspaceId!: string;

  @Column('text')
  rotation!: string;

  @Column('text')
  timezone!: string;

  @Column('text')
  handoffTime!: string;

  @Column('text', { nullable: true })
  handoffDay!: string | null;

  @Column('date')
  startDate!: string;

  @Column('integer')
  turns!: number;

  @TimeColumn()
  created!: Date;

  @TimeColumn()
  lastModified!: Date;
}

/** A turn in a rotation and the person who takes it. */
@Entity('on_call_participant')
@Index('on_call_participant_user_key', ['teamId', 'userId'], { unique: true })
@ForeignKey('team_member', ['teamId', 'userId'], ['teamId', 'userId'], {
  name: 'on_call_participant_member_fk',
  onDelete: 'CASCADE',
})
export class OnCallParticipantEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('on_call_schedule', { name: 'on_call_participant_schedule_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @PrimaryColumn('integer')
  turn!: number;

  @Column('uuid')
  userId!: string;

  @Column('uuid')
  workspaceId!: string;
}

/** An exception from the rotation. */
@Entity('on_call_override')
@Index('on_call_override_team_idx', ['teamId', 'userId'])
@Check('on_call_override_span_check', 'starts < ends')
@ForeignKey('team_member', ['teamId', 'userId'], ['teamId', 'userId'], {
  name: 'on_call_override_member_fk',
  onDelete: 'CASCADE',
})
export class OnCallOverrideEntity extends CreatedEntity {
  @IdentityColumn('bigint')
  seq!: number;

  @Column('uuid')
  workspaceId!: string;

  @Column('uuid')
  teamId!: string;

  @Column('uuid')
  userId!: string;

  @TimeColumn()
  starts!: Date;

  @TimeColumn()
  ends!: Date;

  @Column('text', { nullable: true })
  reason!: string | null;
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
  @Column('uuid')
  workspaceId!: string;

  @Column('uuid')
  @ForeignKey('team', { name: 'on_call_calendar_link_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('uuid')
  userId!: string;

  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  name!: string;

  @TimeColumn({ nullable: true })
  lastRead!: Date | null;
}
