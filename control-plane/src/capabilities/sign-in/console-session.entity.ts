import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn, CreatedEntity } from '../../platform/db/columns.js';

/** A browser that is signed in to the console. */
@Entity('console_session')
@Unique('console_session_token_key', ['tokenHash'])
@Index('console_session_user_idx', ['userId', 'lastSeen', 'id'])
export class ConsoleSessionEntity extends CreatedEntity {
  @Column('uuid')
  @ForeignKey('user_account', { name: 'console_session_user_fk', onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256 of the value of the cookie. */
  @Column('bytea') tokenHash!: Buffer;
  /** To the minute. */
  @TimeColumn() lastSeen!: Date;
  /** When the session ends whatever happens. */
  @TimeColumn() expires!: Date;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text', { nullable: true }) remoteAddress!: string | null;
  /** Sealed, for the sign-out at the provider. */
  @Column('bytea', { nullable: true }) idToken!: Buffer | null;
}
