export const PROOF = {
  '"EvidenceItem"': {
    'evidence.items': 'Evidence answers items of live or completed posts with proof, disclosure and date.',
    'evidence.still-up': 'still_up is the first reading at or after published_at plus seven days, else null.',
    'evidence.brief-id': 'brief_id equals campaign_id.',
  },
  '"ResultItem"': {
    'results.items': 'Results answers items with schedule, latest reading and their number.',
    'results.latest': 'latest is null, or the newest reading in words and numbers.',
    'results.previous': 'previous is the reading before the newest, null with fewer than two.',
    'results.versus': 'versus compares the reading with what was expected.',
    'results.schedule': 'schedule says which reading is due, or null.',
    'results.brief-id': 'brief_id equals campaign_id.',
  },
  '"Brain"': {
    'brain.full': 'The full form carries version, confirmed_at, context and versions.',
    'brain.section': 'A section answers its value alone, null when absent.',
  },
  '"Summary table", feedback': {
    'feedback.send': 'POST /feedback with any valid key sends feedback.',
  },
};
