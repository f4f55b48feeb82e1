import { Check, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../platform/db/columns.js';

/** A periodic report that was handed to delivery. */
@Entity('report_sent')
@Check('report_sent_kind_check', "kind IN ('daily', 'weekly', 'monthly')")
export class SentReportEntity {
  @PrimaryColumn('uuid')
  @ForeignKey('workspace', { name: 'report_sent_workspace_fk', onDelete: 'CASCADE' })
  workspaceId!: string;

  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('date') starts!: string;
  @TimeColumn() sent!: Date;
}
