import type { CampaignSummary, Quote } from '@cds/contracts';
import { expect } from '@jest/globals';
import type { Of } from './actions.js';
import { at, type Playing, type Sent } from './playing.js';

export const ofCampaign = async (playing: Playing, action: Of<'rename' | 'guidelines' | 'delete'>): Promise<Sent> => {
  const named = at(playing.model.campaigns, action.campaign);
  const campaign = named?.deleted === true ? undefined : named;
  const id = named?.id ?? '';
  const { by } = action;
  if (action.do === 'rename') {
    const sent = await playing.send(by, 'rename_campaign', { id, name: action.name });
    const refused = playing.model.rename(by.key, campaign, action.name);
    if (!playing.compare('rename', sent.result, refused))
      expect(sent.result.value).toEqual({ id, campaign: action.name, display_name: action.name });
    return sent;
  }
  if (action.do === 'guidelines') {
    const sent = await playing.send(by, 'set_creator_guidelines', { id, pitch: action.pitch, dos: action.dos });
    const all = { pitch: action.pitch, key_messages: [], references: [], voice: '', dos: action.dos, donts: [] };
    if (!playing.compare('guidelines', sent.result, playing.model.guidelines(by.key, campaign)))
      expect(sent.result.value).toEqual({ campaign_id: id, creator_guidelines: all });
    return sent;
  }
  // The tool server has no tool of this name.
  const sent = await playing.send({ ...by, transport: 'REST' }, 'delete_campaign', { id });
  if (!playing.compare('delete', sent.result, playing.model.delete(by.key, campaign)))
    expect(sent.result.value).toEqual({ id, deleted: true });
  return sent;
};

export const byPerson = async (playing: Playing, action: Of<'archive' | 'budget'>): Promise<null> => {
  const named = at(playing.model.campaigns, action.campaign);
  const campaign = named?.deleted === true ? undefined : named;
  const now = playing.real.clock.now();
  const { workspace } = playing.real;
  if (action.do === 'archive') {
    const operation = action.archived ? 'campaign_archive' : 'campaign_unarchive';
    const result = await workspace.gatewayBus('person', now, operation, { id: named?.id });
    if (!playing.compare(operation, result, playing.model.archive(campaign, action.archived)))
      expect((result.value as CampaignSummary).archived_at !== null).toBe(action.archived);
    return null;
  }
  // A draft that can afford a plan gets one by itself at some moment, so its budget stays at one cent.
  const cents = campaign?.plan ? Math.max(1, action.cents(campaign.plan.lines)) : 1;
  const result = await workspace.gatewayBus('person', now, 'campaign_budget_set', {
    id: named?.id,
    budget_usd: cents / 100,
  });
  if (playing.compare('budget', result, playing.model.budget(campaign, cents)) || campaign === undefined) return null;
  if (campaign.plan === null) expect(result.value).toBeNull();
  else playing.compareQuote('person', campaign.plan, result.value as Quote);
  return null;
};
