import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An MCP session that was ended early. */
@Entity('mcp_ended_session')
@Index('mcp_ended_session_expires', ['expires', 'id'])
export class EndedSessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('timestamptz') expires!: Date;
}
