/**
 * The phrases that name each segment of the taxonomy, version 1 (domain 1-network 6.1). The first of each is the label
 * itself; a phrase may stand under several segments.
 */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'ai-builders': ['AI builders', 'AI engineers', 'machine learning engineers', 'language models', 'AI agents', 'prompt engineering'],
  'software-developers': ['software developers', 'software engineers', 'programmers', 'open source', 'web development', 'code review'],
  'cloud-infrastructure': ['cloud and infrastructure', 'cloud infrastructure', 'platform engineering', 'kubernetes', 'site reliability', 'DevOps'],
  cybersecurity: ['cybersecurity', 'information security', 'security teams', 'threat intelligence', 'zero trust'],
  'data-analytics': ['data and analytics', 'data analytics', 'data engineering', 'data teams', 'business intelligence', 'data warehouses'],
  'it-decision-makers': ['IT decision makers', 'CIOs', 'IT leaders', 'enterprise software', 'IT departments'],
  'startup-founders': ['startup founders', 'founders', 'startups', 'bootstrapping', 'fundraising', 'early stage companies'],
  investors: ['venture investors', 'venture capital', 'angel investors', 'VCs', 'seed rounds', 'investors'],
  'product-design': ['product and design', 'product design', 'product managers', 'product designers', 'user research', 'design systems'],
  marketing: ['marketing', 'marketers', 'growth marketing', 'brand strategy', 'content marketing', 'SEO'],
  sales: ['sales', 'sales teams', 'outbound', 'account executives', 'cold calls', 'sales pipelines'],
  'hr-recruiting': ['HR and recruiting', 'recruiters', 'recruiting', 'people teams', 'talent acquisition', 'human resources'],
  'small-business': ['small business owners', 'small business', 'shop owners', 'local businesses', 'freelancers', 'solopreneurs'],
  'finance-professionals': ['finance professionals', 'CFOs', 'accountants', 'corporate finance', 'bankers', 'financial analysts'],
  fintech: ['fintech', 'payments', 'neobanks', 'open banking', 'embedded finance'],
  crypto: ['crypto and web3', 'crypto', 'web3', 'bitcoin', 'DeFi', 'stablecoins'],
  'personal-investing': ['personal investing', 'retail investors', 'index funds', 'stock picking', 'dividend stocks', 'personal finance'],
  gaming: ['gaming', 'gamers', 'video games', 'game developers', 'esports', 'indie games'],
  'creators-media': ['creators and media', 'content creators', 'YouTubers', 'podcasters', 'newsletter writers', 'creator economy'],
  'consumer-tech': ['consumer tech', 'gadgets', 'smartphones', 'wearables', 'smart home', 'laptop reviews'],
  science: ['science', 'scientists', 'researchers', 'biology', 'physics', 'space exploration'],
  'health-fitness': ['health and fitness', 'fitness', 'strength training', 'nutrition', 'wellness', 'marathon training'],
  outdoors: ['outdoors', 'hiking', 'camping', 'climbing', 'trail running', 'fishing'],
  parents: ['parents', 'parenting', 'new mothers', 'fathers', 'family life', 'toddlers'],
  food: ['food and drink', 'home cooks', 'recipes', 'restaurants', 'baking', 'foodies'],
  'fashion-beauty': ['fashion and beauty', 'fashion', 'skincare', 'makeup', 'streetwear', 'beauty'],
  travel: ['travel', 'travellers', 'travelers', 'digital nomads', 'cheap flights', 'city breaks'],
  sports: ['sports', 'football', 'basketball', 'sports fans', 'tennis', 'sports analytics'],
  automotive: ['automotive', 'electric cars', 'car enthusiasts', 'motorcycles', 'motorsport', 'car owners'],
  'home-diy': ['home and DIY', 'home improvement', 'DIY', 'interior decorating', 'gardening', 'woodworking'],
  education: ['education', 'teachers', 'students', 'online courses', 'edtech', 'classrooms'],
  sustainability: ['sustainability', 'climate tech', 'renewable energy', 'solar power', 'carbon accounting', 'circular economy'],
  'music-film': ['music and film', 'musicians', 'filmmakers', 'cinema', 'music production', 'songwriters'],
  'policy-news': ['policy and news', 'public policy', 'journalists', 'breaking news', 'geopolitics', 'regulators'],
};

/** Words of buying that say nothing about an audience (domain 1-network 6.2, step 2). */
export const BUYING_PHRASES: readonly string[] = [
  'ctv',
  'display',
  'budget',
  'brand safety',
  'premium inventory',
  'lead generation',
  'campaign',
  'ads',
];
