import { closed, uuidInput } from '../input.js';

export const campaignParams = closed({ id: uuidInput().describe('The campaign id.') });

export const planParams = closed({ id: uuidInput().describe('The plan id.') });

export const lineParams = closed({
  id: uuidInput().describe('The plan id.'),
  line_id: uuidInput().describe('The line id.'),
});

export const unitId = () => uuidInput().describe('The unit_id of a format in the list of creators.');

/** What every operation of a brand's people has in common (docs/domain/access.md#developers-area). */
export const personOperation = {
  service: 'planning',
  audience: 'person',
  scope: null,
} as const;

export const brandPath = (path: string) => `/api/brand${path}` as const;
