export const PLANS = {
  '"Mandate"': {
    'mandate.null-when-none': 'The mandate is null when none is set.',
    'mandate.fields': 'A mandate shows limits, channels, whether it may sign, expiry and accepted terms.',
    'mandate.may-exceed-false': 'may_exceed_budget is always false.',
    'mandate.spent': 'spent_this_month_cents shows the key’s spend of the month.',
  },
  '"QuoteLine"': {
    'quote.line-fields': 'A line carries creator, unit, stage, format, date, price, forecast and on_sale.',
    'quote.all-in-price': 'price_cents is the all-in price, never split.',
    'quote.handles-null-before-paid': 'Before the order is paid handle and profile_url are null; name and id show.',
    'quote.handles-once-paid': 'Once paid the lines carry handle and profile link.',
  },
  '"Quote"': {
    'quote.fields': 'A quote carries every required field, embedded in the answer of an edit too.',
    'quote.fingerprint-moves': 'terms_fingerprint changes when a line, a price or the dates change, and only then.',
    'quote.totals': 'totals holds creators, total, views, cost per thousand, tiers, budget and remaining.',
    'quote.payment-options': 'payment_options lists the rails with label and when they clear.',
    'quote.brand-terms': 'brand_terms shows the current version and the one accepted for this key.',
    'quote.policy-allowed': 'policy.allowed says whether this key’s mandate lets it sign now.',
    'quote.policy-refusal': 'policy.refusal carries the reason and numbers that approval would answer.',
    'quote.policy-over-budget': 'policy refuses with over_budget while the plan is over its budget.',
    'quote.blocked-lines': 'blocked_lines names the lines that are not on sale.',
    'quote.over-budget-figures':
      'over_budget reports the overage at current prices while the plan keeps its earlier ones.',
    'quote.over-budget-null': 'over_budget is null within the budget, without one, or once signed.',
    'quote.order-null-unsigned': 'order is null until the plan is signed.',
    'quote.valid-while': 'valid_while is terms_fingerprint_unchanged.',
  },
  '"Plan status"': {
    'edits.only-awaiting': 'Edits act only on a plan awaiting approval.',
    'edits.mandate-needed': 'An edit without a valid mandate is 403 mandate_refused.',
    'edits.unknown-field-400': 'A body field an edit does not take is 400 naming it.',
  },
  '"POST /plans/{id}/lines"': {
    'add.adds-format': 'Adds a creator’s format to a plan.',
    'add.current-starts-plan': 'current adds to the plan awaiting approval, or starts one.',
    'add.current-counts-start': 'current counts against the three campaigns when it starts a plan.',
    'add.over-budget-refused': 'A creator past the budget is 409 over_budget with its four figures.',
    'add.over-budget-leaves-plan': 'A refused add leaves the plan as it was.',
    'add.already-in-plan': 'A creator already on the plan is 409 already_in_plan.',
  },
  '"DELETE /plans/{id}/lines/{line_id}"': {
    'remove.drops-line': 'Drops one line and answers removed_line_id with the quote.',
    'remove.keeps-one': 'A plan keeps at least one creator.',
    'remove.foreign-404': 'A plan or line that is not the caller’s is not found.',
  },
  '"POST /plans/{id}/lines/{line_id}/swap"': {
    'swap.both-or-neither': 'A line is replaced whole: both happen or neither.',
    'swap.current-price': 'The new line takes the format’s current all-in price.',
    'swap.answer': 'A swap answers line_id, removed_line_id and the quote.',
  },
  '"POST /plans/{id}/lines/{line_id}/swap" 1': {
    'swap.fits-mandate-and-budget': 'The total after a swap must fit mandate and budget.',
  },
  '"POST /plans/{id}/lines/{line_id}/swap" 2': {
    'swap.cheaper-always-fits': 'A creator at or under the removed price always swaps in.',
  },
  '"POST /plans/{id}/lines/{line_id}/swap" 3': {
    'swap.over-budget': 'A dearer creator past the budget is 409 over_budget with its four figures.',
  },
  '"POST /plans/{id}/lines/{line_id}/swap" 4': {
    'swap.already-in-plan': 'A creator already on the plan is 409 already_in_plan.',
  },
  '"POST /plans/{id}/dates"': {
    'dates.window-moves': 'The plan’s window and the campaign’s dates become start and end in one step.',
    'dates.posts-follow': 'Every post date keeps its position in the window and is pulled inside a shorter one.',
    'dates.prices-stay': 'Prices do not change.',
    'dates.lines-moved': 'lines_moved counts the post dates that changed.',
    'dates.bad-dates': 'A start before today, an end before start, or more than a year is 409 bad_dates.',
    'dates.same-day': 'Two posts of one creator on one day is 409 same_day and nothing moves.',
    'dates.plan-signed': 'A signed plan, or one the team wrote, is 409 plan_signed.',
  },
  '"POST /plans/{id}/approve"': {
    'approve.signs': 'Signs the plan, which then reads approved, and returns the payment link.',
    'approve.fingerprint': 'An approval is sent against the quote’s terms_fingerprint; another one is refused.',
    'approve.confirm-ignored': 'confirm_over_budget_cents is accepted and confirms nothing.',
    'approve.over-budget': 'A plan over its budget is 409 over_budget with figures at current prices.',
    'approve.over-budget-ends': 'Removing a creator or raising the budget ends the refusal.',
    'approve.mandate-refused': 'A breach of the mandate is 403 mandate_refused.',
    'approve.payments-closed-503': 'While payments are not open approval is 503.',
    'approve.once': 'A plan is signed once; a signed plan refuses another approval.',
  },
};
