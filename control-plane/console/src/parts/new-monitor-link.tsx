import { hasRole, pathTo } from '../data/session.js';
import { ButtonLink } from './button.js';

/** Leads to a new monitor. @returns false for those who may not make one */
export function newMonitorLink(look?: 'primary') {
  return (
    hasRole('Editor') && (
      <ButtonLink href={pathTo('/monitors/new')} icon="plus" {...(look && { look })}>
        New monitor
      </ButtonLink>
    )
  );
}
