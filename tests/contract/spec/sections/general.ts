export const GENERAL = {
  '"What the service does"': {
    'flow.campaign-to-results':
      'Coverage, campaign, edited plan, signature, payment, proposals, proof and results follow one another over the API.',
    'general.writes-need-key-and-mandate':
      'A write needs a write scope, an Idempotency-Key and must fit the mandate; a refusal comes before any spend, with limit and excess.',
    'general.same-tools-as-rest': 'The same reads and writes exist as tools at {app_url}/api/mcp.',
    'general.only-approved-named': 'Only approved creators on sale are listed by name; other states never are.',
    'general.handles-withheld':
      'Handle and profile link are withheld until the order of a plan with that creator is paid.',
    'general.request-id-echoed': 'A valid x-request-id of 8 to 128 characters is echoed.',
    'general.request-id-always': 'Every response carries an x-request-id; an invalid one of the client is not echoed.',
    'general.bodies-json': 'All bodies are JSON.',
    'feedback.any-key': 'Any valid key may send feedback by POST /feedback or feedback_send; it reaches the team.',
  },
  '"The bookable rule"': {
    'bookable.all-three':
      'A creator is bookable when it is approved, kept among those sold, and has a format at a fresh price.',
    'bookable.fresh-price': 'A price is fresh when it is at most 30 days old or was set by the team.',
    'bookable.one-rule-every-count': 'Every count of bookable creators uses the one rule.',
    'bookable.approved-not-bookable-listed':
      'An approved creator that is not bookable is still listed, with ask_price true.',
  },
  '"Resources and their fields"': {
    'fields.money-cents':
      'Money is an integer in US cents unless the name says usd; timestamps and dates are ISO 8601.',
  },
};
