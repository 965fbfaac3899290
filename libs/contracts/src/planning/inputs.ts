import { closed, uuidInput } from '../input.js';

export const campaignParams = closed({
  id: uuidInput().describe('A campaign id, from create_campaign or campaigns_list.'),
});

export const planParams = closed({ id: uuidInput().describe('A plan_id, from create_campaign or a quote.') });

export const lineParams = closed({
  id: uuidInput().describe('A plan_id.'),
  line_id: uuidInput().describe('The id of a line of its quote.'),
});

export const unitId = () => uuidInput().describe('The unit_id of a buyable format, from the offerings of a creator.');

export const brandPath = (path: string) => `/api/brand${path}` as const;
