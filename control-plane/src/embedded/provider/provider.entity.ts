import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** A record of the embedded OpenID provider: session, grant, code, token or client. */
@Entity('provider_entity')
@Index('provider_entity_expires_idx', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Index('provider_entity_grant_idx', ['grantId'], { where: 'grant_id IS NOT NULL' })
@Index('provider_entity_uid_idx', ['kind', 'uid'], { where: 'uid IS NOT NULL' })
@Index('provider_entity_user_code_idx', ['kind', 'userCode'], { where: 'user_code IS NOT NULL' })
export class ProviderRecordEntity {
  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('text') id!: string;
  @Column('json') payload!: unknown;
  @Column('text', { nullable: true }) grantId!: string | null;
  @Column('text', { nullable: true }) userCode!: string | null;
  @Column('text', { nullable: true }) uid!: string | null;
  @TimeColumn({ nullable: true }) consumedAt!: Date | null;
  @TimeColumn({ nullable: true }) expiresAt!: Date | null;
}

/** An account that can sign in at the embedded provider. */
@Entity('provider_account')
@Index('provider_account_email_key', { synchronize: false })
export class ProviderAccountEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') email!: string;
  @Column('text') name!: string;
  @Column('text') passwordHash!: string;
  @TimeColumn() created!: Date;
}

/** What the embedded provider generated at its first start: one row. */
@Entity('provider_setup')
@Check('provider_setup_one_check', 'id')
export class ProviderSetupEntity {
  @PrimaryColumn('boolean', { default: true }) id!: boolean;
  @Column('bytea') secrets!: Buffer;
  @Column('text') issuer!: string;
  @Column('text') audience!: string;
  @TimeColumn() created!: Date;
}
