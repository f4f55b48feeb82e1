import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../../platform/db/columns.js';

/** A certificate authority of the installation, with its sealed key. */
@Entity('certificate_authority')
export class CertificateAuthorityEntity extends CreatedEntity {
  /** DER. */
  @Column('bytea') certificate!: Buffer;
  @Column('bytea') sealedKey!: Buffer;
}

/** A certificate that an agent may use. */
@Entity('agent_certificate')
@Index('agent_certificate_agent', ['agentId', 'expires'])
export class AgentCertificateEntity {
  @PrimaryColumn('bytea') serial!: Buffer;

  @Column('uuid')
  @ForeignKey('agent', { name: 'agent_certificate_agent_fk', onDelete: 'CASCADE' })
  agentId!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('certificate_authority', { name: 'agent_certificate_authority_fk', onDelete: 'CASCADE' })
  authorityId!: string | null;

  @TimeColumn() issued!: Date;
  @TimeColumn() expires!: Date;
  @TimeColumn({ nullable: true }) firstUsed!: Date | null;
}
