import { heading } from '../heading.js';

/** Coverage, creators and their prices. */
export const NETWORK = [
  heading('"ChannelFit"', {
    'inventory.channel-words': 'A channel carries its label, sale live or next, and level strong, thin or none.',
    'inventory.bookable-equals-priced':
      'bookable_nodes equals creators_search priced and catalog.priced for the same audience, and never exceeds verified_nodes.',
    'inventory.priced-units-count-posts':
      'priced_units counts posts of bookable creators on sale at a current price, not creators.',
    'inventory.note-creators-first': 'The note names bookable creators before posts.',
    'inventory.all-fields': 'Every listed field of a channel is present.',
  }),
  heading('"Inventory"', {
    'inventory.shape': 'Inventory answers segments, unresolved, coverage_as_of and channels.',
    'inventory.verified-equals-bare-total': 'In x_creators verified_nodes equals the total of a bare list.',
  }),
  heading('"AudienceFit"', {
    'audience.shape': 'GET /audience answers version 1, times, segments, regions, channels, thin and a summary.',
    'audience.channels': 'Its channels are counted as those of inventory.',
    'audience.thin': 'thin says whether the live channel is anything but strong.',
    'audience.unresolved': 'A description that names no audience is unresolved, with zeros and no segments.',
  }),
  heading('"Offering"', {
    'offerings.buyable-rule': 'An offering is buyable when its creator is approved and its price is current.',
    'offerings.stale-shows-last-price': 'An offering that is not buyable shows the last price on file.',
    'offerings.fields':
      'An offering carries unit_id, format, label, price, date, expected views and cost per thousand views.',
    'offerings.no-cost-no-fee': 'provenance and calc never hold a cost or a fee.',
  }),
  heading('"Creator"', {
    'creators.identity-null': 'handle and url are null in every creator read.',
    'creators.links-null': 'recent_posts and past_collabs of an opened creator carry no links.',
    'creators.status-words': 'status and status_label keep to their lists of words.',
    'creators.match-labels': 'match_score over 70 is strong, over 50 good.',
    'creators.reach-bands': 'reach_band follows followers from nano to mega.',
    'creators.ask-price-inverse': 'ask_price is true exactly when nothing is on sale.',
    'creators.estimate-only-without-sale': 'price_estimate is null when the creator has a price.',
    'creators.estimate-without-sale':
      'An approved creator with nothing on sale is listed with ask_price and an estimate.',
    'creators.estimate-label': 'The label of an estimate joins both bounds by the word to.',
    'creators.estimate-never-price': 'An estimate is never a price: nothing filters or sorts by it.',
    'creators.match-reasons': 'match_reasons name topic, reach, past launches or engagement; empty when there is none.',
    'creators.match-reasons-no-price': 'match_reasons never name a price.',
    'creators.collabs-twelve': 'past_collabs holds at most 12 launches, newest first, then detected paid partnerships.',
    'creators.rows-collabs-bare': 'A list row’s past_collabs have no url and a brand without handle.',
    'creators.recent-posts-thirty': 'recent_posts holds up to 30 posts of the last 30 days, newest first.',
    'creators.posts-summary-three': 'posts_summary is null unless three dated posts fall into its window.',
    'creators.advice': 'advice recommends post, quote or nothing, with its reason.',
    'creators.views-series': 'views_series holds at most 30 points of 0 to 100, oldest first.',
    'creators.rows-omit': 'A list row omits handle, url, recent_posts and posts_summary.',
    'creators.never-inferred-country': 'country is as the network shows it, never inferred.',
  }),
  heading('"Creators"', {
    'creators.total-is-listed': 'total counts the creators this answer lists, never the network; cap equals total.',
    'creators.priced-of-total': 'priced counts how many of total are bookable now.',
    'creators.catalog-whole-network': 'catalog counts the whole network whatever the filter.',
    'creators.order': 'Creators come best fits first, in the order asked.',
  }),
  heading('"GET /creators"', {
    'creators.q': 'q matches part of a name, handle or bio.',
    'creators.segment': 'segment limits to an audience segment.',
    'creators.filters': 'reach_band, country, language, followers and engagement bounds filter the list.',
    'creators.match-adds-score': 'match adds match_score and ranks by it.',
    'creators.match-min-needs-match': 'match_min needs match.',
    'creators.fit': 'fit true lists only creators reaching at least one match segment, and total counts only those.',
    'creators.format-filters': 'format lists only creators selling it; price filters then read that format.',
    'creators.price-bounds': 'price_min and price_max bound the cheapest all-in price in US dollars.',
    'creators.sorts': 'sort and dir order by match, followers, engagement, views or price.',
    'creators.limit': 'limit is 24 when left out and at most 50.',
    'creators.offset-past-end': 'An offset past the end is answered as total.',
    'creators.pages': 'The next page starts at offset plus limit while that is below total.',
    'creators.budget-never-filters': 'budget sizes the shortlist and never filters.',
    'creators.shortlist-size': 'A shortlist holds three times the posts its budget buys, 10 to 50; 25 without a price.',
    'creators.audience-limits': 'A list is limited to the match segments, else to the brand’s own audience.',
    'creators.segment-replaces-audience': 'A segment without match replaces the audience as the filter.',
    'creators.nameless-with-audience': 'A list naming nothing returns the audience’s creators of a brand with one.',
    'creators.filter-required': 'A list naming nothing from a brand without an audience is 400 filter_required.',
    'creators.no-audience-filter':
      'Without an audience on file, q or a filter lists every approved creator it matches.',
    'creators.bad-query': 'A bad value or an unknown name of the query is 400 with problems.',
  }),
  heading('"GET /creators/{id}"', {
    'creators.open': 'Opening answers the creator in full.',
    'creators.open-other-name': 'The tool takes creator_id as another name for id.',
    'creators.open-unlisted-404': 'A creator that is not approved is not found.',
  }),
  heading('"POST /creators/{id}/price-request"', {
    'asks.sent': 'An ask reaches the team, never the creator, and answers requested with its time.',
    'asks.already': 'While an ask is open, another answers already true and sends nothing.',
    'asks.already-priced': 'A creator with a format on sale is 409 already_priced.',
    'asks.not-approved-404': 'An id that is no approved creator is 404.',
    'asks.limits': 'More than 3 asks for one creator or 20 in all within 24 hours are 429 daily_limit.',
    'asks.limit-details': 'That 429 carries retry_after, also as header, and resets_at.',
    'asks.undelivered-502': 'An ask that does not reach the team is 502 and is not kept.',
    'asks.opens': 'An ask counts as one creator opened today.',
  }),
  heading('"Summary table", network facts', {
    'facts.approved-priced': 'GET {app_url}/api/network/facts answers the approved and priced counts without a key.',
  }),
] as const;
