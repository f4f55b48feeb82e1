import type { z } from 'zod';
import type { domainSettings } from '../monitors/index.js';

export type DomainSettings = z.output<typeof domainSettings.schema>;
