export const GUESTS = {
  '"Tool server", guests': {
    'guests.six-tools': 'The guest endpoint lists exactly six tools, each with a title and its four hints.',
    'guests.inventory': 'inventory counts the whole network, no audience applied, with catalog.',
    'guests.one-channel': 'It lists x_creators only and announces no channel as next.',
    'guests.audience': 'resolve_audience answers the fit of a described profile.',
    'guests.audience-needs-account': 'intent_id needs an account and answers needs_account.',
    'guests.brain-empty': 'brain_get is the empty context at version 0, with claim.',
    'guests.feedback-401': 'feedback_send needs an account: a guest call is 401 with claim.',
    'guests.status': 'guest_status lists answers_now, what needs an account, the limits and claim.',
    'guests.quote-inputs': 'plan_quote_guest takes a format and 1 to 50 posts.',
    'guests.quote-range': 'It returns the all-in price range per post across every creator on sale, times the posts.',
    'guests.quote-no-creator': 'It never returns a creator.',
    'guests.quotes-left': 'It reports quotes_left.',
    'guests.401-claim': 'A tool that needs an account is 401 with the claim link in message and error.data.claim.',
  },
  '"Authentication" 6, guests': {
    'guests.no-key': 'The guest endpoint needs no key for the tools that answer without an account.',
  },
  '"Limits", guest quotes': {
    'limits.guest-quotes': 'A client address has 3 guest quotes in any 7 days.',
    'limits.guest-quotes-unpriced': 'A call that prices nothing spends none.',
    'limits.guest-quotes-refused':
      'The next is rate_limited guest_quote_limit with limit, window_days, retry_after, resets_at and claim.',
  },
};
