import type { Category } from '@cds/contracts';

/** One category of the operator's list: its result, and the phrases that tell of it. */
export type CategoryRow = {
  category: Exclude<Category, 'other'>;
  /** The category in running text. */
  label: string;
  result: 'banned' | 'review';
  /** Phrases that mean the category wherever they stand. */
  clear: readonly string[];
  /** Its shops, venues and makers; a tool for them is not the category itself. */
  trade: readonly string[];
  /** Words with another meaning too. */
  ambiguous: readonly string[];
  /** Everyday words, which mean the category only beside a confirming one, and then to a person. */
  weak: readonly string[];
  /** Words beside an ambiguous one that leave no doubt. */
  confirming: readonly string[];
  /** Phrases that only look alike. */
  not: readonly string[];
};

const phrases = (text: string): string[] =>
  text
    .split(',')
    .map((phrase) => phrase.replace(/\s+/g, ' ').trim())
    .filter((phrase) => phrase !== '');

const row = (
  category: CategoryRow['category'],
  label: string,
  result: CategoryRow['result'],
  of: Partial<Record<'clear' | 'trade' | 'ambiguous' | 'weak' | 'confirming' | 'not', string>>,
): CategoryRow => ({
  category,
  label,
  result,
  clear: phrases(of.clear ?? ''),
  trade: phrases(of.trade ?? ''),
  ambiguous: phrases(of.ambiguous ?? ''),
  weak: phrases(of.weak ?? ''),
  confirming: phrases(of.confirming ?? ''),
  not: phrases(of.not ?? ''),
});

/** What people do with goods; beside an ambiguous word it leaves no doubt that goods are meant. */
const GOODS =
  'bottle, bottles, brand, buy, club, deliver, delivered, delivery, discount, order, pack, premium, pouch, sell, sells, shop, store, subscription, tasting, tastings, box, gift set';

/**
 * The operator's list of categories (docs/domain/network.md#category-screening), in line with X's paid partnerships
 * policy of `as_of`. Phrases are lower case, of letters and digits in single spaces, and match whole words only. A new
 * version of the policy needs a new list with a new day.
 */
export const CATEGORY_LIST: { as_of: string; source: string; rows: readonly CategoryRow[] } = {
  as_of: '2026-11-01',
  source: 'https://help.x.com/en/rules-and-policies/paid-partnerships-policy',
  rows: [
    row('adult', 'adult content', 'banned', {
      clear: `cam shows, live cam, adult content, adult entertainment, adult film, adult films, adult videos, cam girls, cam site, erotic,
        erotica, escort agency, escort agencies, escort service, escort services, explicit content, explicit photos,
        fetish, hentai, lingerie models live, nudes, onlyfans, porn, porno, pornographic, pornography, sex chat, sex doll,
        sex dolls, sex shop, sex toy, sex toys, sexting, vibrator, vibrators, webcam models`,
      trade: 'strip club, strip clubs, gentlemen s club, brothel, brothels',
      ambiguous: 'escort, escorts, nsfw, xxx, stripper, strippers',
      weak: '18, adults only, cam, girlfriend, nude, sensual, spicy',
      confirming:
        'booking, companion, companions, creators, discreet, fans, girls, models, nights, pics, photos, private, videos, chat, content, unlimited, uncensored',
      not: 'nsfw filter, nsfw filters, nsfw detection, nsfw moderation, ford escort, police escort, airport escort, nude lipstick, nude palette, wire stripper, wire strippers, paint stripper',
    }),
    row('alcohol', 'alcohol', 'banned', {
      clear: `aperol, baijiu, cabernet, chianti, margaritas, martinis, mojito, mojitos, moonshine, negroni, negronis, ouzo, pilsner, pinot, pisco, riesling, rioja, sangria, shiraz, spritz, alcoholic, absinthe, amaro, aperitif, aperitifs, beer, beers, bourbon, brandy, canned cocktails, cask ale,
        chardonnay, cocktail kit, cocktail kits, cognac, craft beer, craft cider, gin and tonic, gin club, gin distillery,
        grappa, hard cider, hard kombucha, hard seltzer, hard seltzers, lager, limoncello, liqueur, liqueurs, liquor, malbec,
        mead, merlot, mezcal, natural wine, natural wines, pinot noir, prosecco, ready to drink cocktails, red wine,
        rose wine, sake brewery, sauvignon blanc, schnapps, single malt, soju, sparkling wine, tequila, vermouth, vodka,
        whiskey, whiskeys, whisky, whiskies, white wine, wine bar, wine club, wine merchant, wine subscription,
        wine tasting, wine tastings, wines`,
      trade:
        'brewery, breweries, brewpub, brewpubs, distillery, distilleries, liquor store, liquor stores, off licence, taproom, taprooms, vineyard, vineyards, wineries, winery, cocktail bar, cocktail bars',
      ambiguous: 'alcohol, booze, champagne, cocktail, cocktails, gin, ipa, rum, wine',
      weak: 'ale, ales, cava, cider, pale ale, port, sake, spirits, stout',
      confirming: `aged, artisan, barrel, batch, brew, brewed, case of, cask, craft, distil, distilled, drink, drinks, drinkers,
        drinking, grapes, infused, made from, mixer, mixers, organic, pint, pints, small batch, sommelier, vintage, ${GOODS}`,
      not: `champagne coloured, champagne colored, champagne gold, cocktail attire, cocktail dress, cocktail dresses, cocktail party, cocktail table, alcohol free, non alcoholic, zero proof, alcohol wipes, rubbing alcohol, isopropyl alcohol, hand sanitizer alcohol,
        beer garden simulator, butterbeer, free as in beer, ginger beer, root beer, gin framework, gin gonic, gin web framework,
        for the sake of, for your sake, ginger ale, wine compatibility layer, wine for linux, wine on linux, under wine, via wine,
        cider house rules, high spirits, team spirits, molotov cocktail, shrimp cocktail, mocktail, mocktails, wine red`,
    }),
    row('contraceptives', 'contraceptives', 'banned', {
      clear:
        'birth control, condom, condoms, contraception, contraceptive, contraceptives, iud, iuds, morning after pill, emergency contraception, spermicide',
      weak: 'the pill',
      confirming: 'daily, hormone, hormones, pregnancy, prescription, women',
      not: 'condom policy in france',
    }),
    row('dating', 'dating', 'banned', {
      clear: `find a date, find love, hook up tonight, marriage bureau, dating app, dating apps, dating coach, dating service, dating services, dating site, dating sites,
        online dating, speed dating, hookup, hookups, matchmaking agency, matchmaking for singles, meet singles,
        meet local singles, find your soulmate, find love online, matrimony, sugar daddy, sugar dating, swipe right on singles,
        mail order brides, casual encounters, blind dates`,
      ambiguous: 'dating, matchmaker, matchmaking, singles',
      weak: 'date, soulmate, swipe',
      confirming:
        'chat, couple, date, dates, love, lonely, meet, men and women, partner, relationship, relationships, romance, romantic, soulmate, women, swipe',
      not: `date picker, dating fossils, dating methods, dating rocks, fossil dating, carbon dating, radiocarbon dating, radiometric dating, dating back, dating from, dating to, back dating,
        cheese singles, hit singles, tennis singles, men s singles, women s singles, singles chart, card swipe, swipe file,
        matchmaking server, matchmaking servers, skill based matchmaking, multiplayer matchmaking, game matchmaking`,
    }),
    row('drugs', 'drugs', 'banned', {
      clear: `pre rolls, rolling joints, cannabis, cbd gummies, cbd oil, cbd, cocaine, delta 8, hemp flower, hhc, kratom, lsd, magic mushrooms,
        magic truffles, marijuana, mdma, microdosing, psilocybin, psychedelic retreat, recreational drugs, thc,
        edibles delivered, weed delivery, weed strains, bong, bongs, ayahuasca, ketamine at home, amanita gummies`,
      trade:
        'dispensary, dispensaries, head shop, head shops, cannabis dispensary, cannabis dispensaries, cannabis growers, cannabis retailers',
      ambiguous: 'edibles, psychedelic, shrooms, weed',
      weak: 'acid, ecstasy, gummies, hash, hemp, joint, joints, pot, speed',
      confirming:
        'buzz, chill out, get high, high, mellow, mushroom, smoke, smoking, stoned, stoner, strain, strains, trip',
      not: `weed control, weed killer, weed killers, weed out, weed outs, weed whacker, weed resistant, hash browns, hash function,
        hash table, hash tables, hemp rope, hemp fabric, hemp shirts, joint venture, joint pain, melting pot, coffee pot,
        flower pot, instant pot, edible flowers, vitamin gummies, high quality, high end, high speed, high school, high performance, road trip,
        psychedelic rock, business trip`,
    }),
    row('tobacco-nicotine', 'tobacco and nicotine', 'banned', {
      clear: `cigar, cigarette, cigarettes, cigarillos, cigars, e cigarette, e cigarettes, e liquid, e liquids, heated tobacco,
        hookah, hookahs, nicotine pouches, nicotine salts, nicotine, rolling papers, shisha, snus, tobacco, vape, vapes,
        vaping, vape juice, disposable vapes`,
      trade: 'vape shop, vape shops, cigar lounge, cigar lounges, tobacconist, tobacconists, tobacco shop',
      ambiguous: 'smoke shop, zyn',
      weak: 'pouches, pipe, smoking, vaporizer',
      confirming: 'flavours, flavors, mint, lip, puff, puffs',
      not: 'smoking gun, smoking hot, smoking area, smoking meat, smoking ribs, snus museum, cigar shaped, cigarette pants, cigarette trousers',
    }),
    row('weapons', 'weapons', 'banned', {
      clear: `glock, glocks, holster, holsters, revolver, revolvers, ammunition, ar 15, assault rifle, assault rifles, body armor, brass knuckles, concealed carry, crossbow,
        crossbows, explosives, firearm, firearms, gun holster, gun holsters, handgun, handguns, hunting rifle, pepper spray,
        pistol, pistols, rifle, rifles, rifle scope, rifle scopes, shotgun, shotguns, silencers, stun gun, stun guns,
        switchblade, switchblades, tactical knife, tactical knives, weaponry, machete, machetes, throwing knives`,
      trade: 'gun shop, gun shops, gun store, gun range, shooting range, armory, gunsmith, gunsmiths, arms dealer',
      ambiguous: 'ammo, gun, guns, taser, tasers',
      weak: 'arms, blade, knives, silencer, weapon, weapons',
      confirming: `9mm, 9 mm, bulk, caliber, calibre, gauge, range, wholesale, concealed, combat, defense ready, hunting, hunters, military grade, self defence, self defense,
        shoot, shooters, shooting, tactical, bullets, rounds`,
      not: `ammo for sales, ammo for your sales, ammo for your team, ammo for your pitch, ammo for your next, ammo for arguments, ammo for debates, sales ammo, ammunition for your sales, ammunition for your team, big gun, big guns, gun metal, gun shy,
        guns blazing, hired gun, hired guns, smoking gun, starting gun, stick to your guns, sticking to your guns, glue gun, glue guns, heat gun, heat guns, massage gun, massage guns, nail gun, nail guns, secret weapon, secret weapons,
        top gun, water gun, water guns, nerf gun, nerf guns, tattoo gun, spray gun, price gun, rivet gun, staple gun, jump the gun,
        under the gun, machine gun kelly, kitchen knives, chef s knives, chef knives, shotgun house, trap shooter game,
        open arms, video shooting, weapons of math destruction, rifle through, guns n roses, exhaust silencer`,
    }),
    row('weight-loss', 'weight loss', 'banned', {
      clear: `skinny tea, appetite suppressant, appetite suppressants, belly fat, burn fat, diet pill, diet pills, drop two dress sizes,
        fat burner, fat burners, glp 1, lose weight, losing weight, lose 10 pounds, lose ten pounds, lost 10 kilos, mounjaro, ozempic, semaglutide, shed pounds,
        slimming, slimming tea, wegovy, weight loss, weight loss injections, melt fat, fat loss, keto pills, shed the pounds, shed kilos, waist trainer`,
      weak: 'calorie deficit, detox, detox tea, diet, diet plan, skinny, slim, tea',
      confirming: 'fat, kilos, pounds, skinny, slimmer, weight, waist',
      not: 'slim fit, slim laptop, slim wallet, digital detox, media diet, weight loss of the aircraft, reduce app weight, weight of evidence, slim framework, slim phone, fat client',
    }),
    row('medicines-supplements', 'medicines and supplements', 'banned', {
      clear: `anabolic steroids, anti aging pills, antibiotics, antidepressants, ashwagandha, collagen powder, creatine, dietary supplement,
        dietary supplements, food supplement, food supplements, herbal remedies, herbal remedy, herbal supplement, herbal supplements,
        homeopathic, melatonin, multivitamin, multivitamins, nootropic, nootropics, omega 3 capsules, online pharmacy, online pharmacies, over the counter, painkiller,
        painkillers, prescription drug, prescription drugs, prescription medication, pre workout, protein powder, sleep gummies,
        testosterone booster, viagra, vitamin gummies, vitamin supplements, vitamins, immune booster, mushroom capsules, magnesium capsules, greens powder, hair loss pills, sildenafil, supplements delivered`,
      trade:
        'pharmacy, pharmacies, drugstore, drugstores, pharma company, pharmaceutical company, pharmaceuticals, pharmaceutical',
      ambiguous: 'medication, medications, medicines, steroids, supplements',
      weak: 'capsules, dose, doses, drug, drugs, medicine, pill, pills, remedy, supplement',
      confirming:
        'anabolic, anxiety, build muscle, cure, cures, daily, energy, headache, headaches, health, immune, ingredients, muscle, natural, pain, relief, sleep, stress, symptom, symptoms, treat, treats, prescription, vitamin',
      not: `on steroids, time capsule, time capsules, coffee capsules, capsule wardrobe, bitter pill, poison pill, chill pill,
        red pill, supplement to, supplement your, supplement our, supplements your, newspaper supplement, sunday supplement, income supplement, medicine ball, medicine balls, drug discovery`,
    }),
    row('politics-social-issues', 'politics and social issues', 'banned', {
      clear: `ballot box, elect me, support our party, abortion, anti abortion, ballot measure, ballot initiative, election campaign, elect our candidate, fundraise for a candidate, gun control law, immigration reform,
        pro choice, pro life, political ad, political ads, political campaign, political campaigns, political candidate,
        political candidates, political party, political parties, referendum, running for congress, running for mayor, running for parliament, running for senate, super pac, vote yes on, vote no on, vote labour,
        vote republican, vote democrat, re elect, for president 2028, sign the petition, donate to the party, our candidate`,
      ambiguous: 'senator, vote for',
      weak: 'activists, candidate for, democrats, elect, lobbying, petition, protest, republicans',
      confirming:
        'ballot, climate bill, congress, election, government, law, mayor, minister, parliament, policy, president, rights, senate, tax bill',
      not: 'vote for us on product hunt, vote for features, vote for your favourite, vote for your favorite, vote for the next, candidate for the role, job candidate, protest song',
    }),
    row('gambling', 'gambling', 'banned', {
      clear: `scratch tickets, scratchcard, scratchcards, tipster, tipsters, wheel and win cash, bet on anything, bet on basketball, bet on boxing, bet on elections, bet on esports, bet on football, bet on games, bet on golf, bet on horses, bet on matches, bet on races, bet on soccer, bet on sport, bet on sports, bet on tennis,
        bet on the game, bet on the match, bet on the race, live odds, betting, bookmaker, bookmakers, casino games, casino bonus, daily fantasy, free spins, gamble, gambling,
        lottery tickets, lotto, online casino, online casinos, online poker, online slots, parlay, parlays, poker nights, poker room, poker rooms, prediction market, prediction markets, real money games,
        real money poker, roulette, scratch cards, slot machine, slot machines, sports betting, sportsbook, sportsbooks,
        sweepstakes casino, blackjack, baccarat, video poker, wager, wagers, win real money, fantasy sports for cash, bingo for cash, online bingo`,
      trade: 'casino, casinos, betting shop, betting shops, poker club, bingo hall',
      ambiguous: 'bets, bingo, jackpot, lottery, poker',
      weak: 'bet, bet on, odds, raffle, slots, stakes, texas hold em, tips',
      confirming: `bonus, cash, chips, deposit, game night, high roller, jackpots, money, payout, payouts, play, players, prize, prizes, real money,
        spin, tables, tournament, tournaments, win, winnings`,
      not: `planning poker, scrum poker, poker planning, pointing poker, poker face, visa lottery, green card lottery, draft lottery, safe bet, best bet, you bet,
        time slots, slots for appointments, appointment slots, against all odds, odds and ends, odds ratio, high stakes, tips and tricks, buzzword bingo, hit the jackpot, slot in, russian roulette of deploys, lottery scheduling, lottery ticket hypothesis, bet your, no stakes`,
    }),
    row('financial-products', 'financial products', 'review', {
      clear: `prepaid card, prepaid cards, bank account, bank accounts, brokerage, brokerage account, buy now pay later, credit card, credit cards, credit score builder, debit card, debit cards, forex, cfd, cfds,
        fractional shares, index funds, insurance, insurer, invest in stocks, invest in property, investment app, investment fund, investment funds, investment platform, isa, loan, loans, money transfer, mortgage, mortgages, neobank, neobanks, options trading, payday, peer to peer lending,
        pension plan, pension plans, robo advisor, robo advisors, savings account, savings accounts, stock trading, share dealing, trading platform, trading signals, wealth management, copy trading, annuities, cash advance, debt consolidation, crowdfunded equity, equity crowdfunding`,
      weak: 'invest, investing, investment, lending, premiums, savings, trading',
      confirming:
        'account, apr, bonds, commission free, etf, etfs, fund, funds, interest, money, portfolio, returns, shares, stocks, yield',
      not: 'no credit card, without a credit card, trading card, trading cards, payday 3, savings of time, time savings, invest time, worth the investment, loan words, loan of books, library loans, loan a bike, no loans',
    }),
    row('crypto', 'crypto', 'review', {
      clear: `airdrop tokens, token airdrop, altcoin, altcoins, bitcoin, blockchain, btc, crypto, cryptocurrencies, cryptocurrency, dao, daos, defi, decentralized exchange, eth, ethereum,
        ico, memecoin, memecoins, nft, nfts, on chain, onchain, solana, stablecoin, stablecoins, staking rewards, token sale, tokenized, tokenised, usdc, usdt, web3, cold wallet, dogecoin, layer 2 network, rollup chain`,
      weak: 'airdrop, airdrops, coin, coins, mining, staking, token, tokens, wallet',
      confirming:
        'chain, decentralized, decentralised, holders, hold, mint, mined, presale, swap, yield, exchange, rewards',
      not: 'crypto library, cryptography, apple airdrop, via airdrop, airdrop files, design tokens, design token, tokens per second, api tokens, api token, access token, access tokens, context tokens, llm tokens, auth tokens, coin collecting, coin collectors, old coins, leather wallet, slim wallet, data mining, process mining, dao pattern, eth zurich',
    }),
    row('health-devices-services', 'health devices and services', 'review', {
      clear: `clear aligners, invisible aligners, blood glucose monitor, blood pressure monitor, blood test, blood tests, botox, continuous glucose monitor, cosmetic surgery, dental implants, dental aligners, dermatology clinic, dna test, dna health test, egg freezing, ecg monitor, fertility clinic, fertility treatment, fertility treatments, gut health test, hair transplant, hearing aid, hearing aids, ivf, laser eye surgery, medical device, medical devices,
        medical diagnosis, online doctor, online doctors, online therapist, online therapists, online therapy, plastic surgery, symptom checker, telehealth, telemedicine, teletherapy, therapy sessions, home test kit, home test kits, cpap, physiotherapy clinic, at home lab tests, skin cancer check, mental health counselling, rehab centre`,
      trade:
        'clinic, clinics, medical practice, dental practice, dental practices, hospital, hospitals, physiotherapist',
      weak: 'diagnosis, doctor, doctors, fertility, medical, patients, surgery, therapist, therapists, therapy',
      confirming:
        'appointment, appointments, book, consultation, consultations, health, licensed, online, talk to, treat, treatment, treatments',
      not: 'soil fertility, retail therapy, animal clinic game, bike clinic, writing clinic, football clinic, seo clinic, code surgery, root cause diagnosis, tree surgery, coaching clinic',
    }),
    row('products-for-children', 'products for children', 'review', {
      clear: `baby clothes, baby food, baby formula, baby monitor, baby products, baby toys, children s app, children s book, children s books, children s clothes, children s clothing, children s toys, children s shoes, for babies, for children, for kids, for little ones,
        for preschoolers, for tots, for toddlers, for newborns, for teens under 13, kids app, kids apps, kids toys, kids clothing, kids meals, kids tablet, nappies, diapers, plush toys, soft toys, toddler, toddlers, car seat for, pushchair, strollers, wooden toys, learn to read at 4, ages 3 to 7, ages 4 to 8, kindergarten app, pacifier, pacifiers`,
      weak: 'babies, baby, child, children, infants, kids, playground, toy, toys',
      confirming:
        'ages, bedtime, colourful, crib, cuddly, educational, learn, learning, months, play, safe, school, story, stories, years old, wooden, gentle',
      not: 'not for children, not for kids, keep away from children, out of reach of children, toy problem, toy model, toy example, toy dataset, boy toys, toys r us case study, baby steps, child process, child processes, child theme, child themes, child node, child nodes, inner child, kids these days, no kids allowed, dog toys, cat toys, pet toys, chew toys, baby boomers, new kid',
    }),
  ],
};

/**
 * Words of a tool, of a trade's software or of a work of fiction: they clear an ambiguous word, and leave a clear one
 * to a person.
 */
export const TOOL_WORDS: readonly string[] = phrases(`
  api, apis, board game, documentary, game where, indie game, memoir, novel, video game, back office, backend, benchmark, bookkeeping, ci cd, cli, codebase, compiler, compliance software, container, containers, crm, dashboard, dashboards,
  data pipeline, data pipelines, data platform, data warehouse, database, databases, dataset, debugger, debugging, deploy, deployment, developer, developers, devops, docker,
  engineers, engineering, erp, framework, golang, http, ide, inventory, invoicing, java, javascript, kubernetes, latency, linux, llm, llms, logging,
  low code, machine learning, macos, metrics, microservices, middleware, monitoring, no code, observability, open source, package manager, payroll, performance monitoring, plugin, point of sale,
  pos, programming, python, repository, runtime, saas, scheduling software, scheduling tool, sdk, server, servers, software, source code, spreadsheet, spreadsheets, sprint, sprints,
  sql, terminal, typescript, unit tests, user monitoring, web vitals, windows apps, windows programs, webhook, webhooks, workflow automation, project management, product teams, scrum, agile`);

/** What stands before a phrase that a text is against, with at most one word between them. */
export const AGAINST_BEFORE: readonly string[] = phrases(`
  against, anti, avoid, ban, block, blocks, blocking, detect, detects, detecting, ditch, fight, fighting, free from, give up, giving up,
  instead of, kick, less, never, no, non, not, prevent, prevents, preventing, quit, quits, quitting, refuse, reject, stop, stops,
  stopping, without, zero`);

/** What follows a phrase that a text is against. */
export const AGAINST_AFTER: readonly string[] = phrases(`
  abuse, addict, addicts, addiction, awareness, blocker, blockers, blocking, cessation, detection, detector, detectors, filter,
  filters, filtering, fraud, harm, moderation, prevention, recovery, scams, violence`);
