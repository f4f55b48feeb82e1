import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn, DatedEntity } from '../../platform/db/columns.js';
import type { TeamRole } from './team-schemas.js';

/** A team that can be paged. */
@Entity('team')
@Index('team_workspace_idx', ['workspaceId', 'created', 'id'])
export class TeamEntity extends DatedEntity {
  @Column('uuid')
  @ForeignKey('workspace', { name: 'team_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  /** When its leads were mailed about coming shifts and policies. */
  @TimeColumn({ nullable: true }) readinessMailed?: Date | null;
}

/** A member of the workspace in a team. */
@Entity('team_member')
@Index('team_member_workspace_member_idx', ['workspaceId', 'userId'])
@Check('team_member_role_check', "team_role IN ('lead', 'member')")
@ForeignKey('workspace_member', ['workspaceId', 'userId'], ['workspaceId', 'userId'], {
  name: 'team_member_workspace_member_fk',
  onDelete: 'CASCADE',
})
export class TeamMemberEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'team_member_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @PrimaryColumn('uuid') userId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') teamRole!: TeamRole;
  @TimeColumn() created!: Date;
  @TimeColumn() lastModified!: Date;
}

/** Routing: a team that the incidents of a service group page. */
@Entity('team_service_group')
@Index('team_service_group_group_idx', ['serviceGroupId'])
export class TeamServiceGroupEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('team', { name: 'team_service_group_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey('service_group', { name: 'team_service_group_group_fk', onDelete: 'CASCADE' })
  serviceGroupId!: string;

  @Column('uuid') workspaceId!: string;
  @TimeColumn() created!: Date;
}
