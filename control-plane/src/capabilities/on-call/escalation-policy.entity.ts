import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Severity } from '@watchpost/shared/incident-types';
import { IdentityColumn, JsonColumn, DatedEntity } from '../../platform/db/columns.js';
import type { EscalationStep } from './escalation-policy.js';

/** An escalation policy of a team. */
@Entity('escalation_policy')
@Index('escalation_policy_team_idx', ['teamId', 'seq'])
export class EscalationPolicyEntity extends DatedEntity {
  @IdentityColumn('bigint') seq!: number;
  @Column('uuid') workspaceId!: string;

  @Column('uuid')
  @ForeignKey('team', { name: 'escalation_policy_team_fk', onDelete: 'CASCADE' })
  teamId!: string;

  @Column('text') name!: string;
  @Column('text', { array: true }) severities!: Severity[];
  @JsonColumn() steps!: EscalationStep[];
  @Column('smallint') repeat!: number;
  @Column('text', { nullable: true }) ackTimeout!: string | null;
}
