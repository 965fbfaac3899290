import { describe, expect, it } from '@jest/globals';
import { screened } from './screening.js';

/**
 * 300 products that say what they are in other words than the list's phrases, or only look like a category, labelled
 * before any of them was screened (docs/domain/network.md#category-screening). Misses stay, as in
 * screening-labels.test.ts: words are chosen for a category, never to fit a row.
 */
const BANNED = `
Steamy video calls with women who undress for you
Uncensored photo sets from amateur models, new every night
Private shows by couples in the bedroom, pay by the minute
A marketplace for naked selfies
Intimate massagers for adults, silent and waterproof
Topless car wash on Saturday night
Hot singles strip on camera for tips
Adults-only stories with explicit scenes read aloud
A fan club where she posts what Instagram takes down: nude pictures and more
Companions by the hour for gentlemen, discreet hotel visits
Cask-strength single barrel, 58% ABV, in numbered bottles
Hazy pale ale in cans, brewed with three hops
Orange wine from old vines in Georgia
Ready-mixed espresso martini in a pouch, 14% vol
Cachaça from a copper still, made for caipirinhas
A nightly tipple: six miniature bottles of sherry and port
Belgian tripel fermented in the bottle, 9% alcohol
A pub crawl with a free pint at every stop
Agave spirit, distilled twice, with notes of smoke and salt
A gift hamper with champagne and truffles
Ultra-thin latex protection for safer sex
A hormone-free coil that prevents pregnancy for ten years
The mini pill by post after a short questionnaire
Protection in bed for her: an internal latex barrier
A vaginal ring that you change once a month to avoid pregnancy
Rubbers in your size, delivered in plain envelopes
The patch that stops ovulation, from your sofa
Next-day pill after unprotected sex, couriered to you
A calendar method thermometer with a contraceptive approval
Long-acting implant in your arm, three years without a baby
Swipe less and fall in love more: one introduction a day
We introduce single parents to each other for romance
An agency for lonely hearts over fifty
Meet your other half at our singles cruise
Video first dates before you share your number
A wingman bot that writes your flirty openers on Tinder
Serious relationships for Christian men and women: find your spouse
Rooftop mixers where unattached lawyers flirt
Find a girlfriend from Ukraine this summer
The network for married people who want an affair
Legal highs in foil bags, posted without questions
Dried caps and stems for a gentle trip at home
Indica and sativa flower grown indoors
A grow tent package for your own ganja, seeds included
LSA seeds and blotters for psychonauts
A pipe, a grinder and papers for your green
Party powder tested for purity, shipped in grams
Brownies that get you stoned, twenty milligrams each
A coca leaf extract for nights without sleep
Salvia and other herbs that make you hallucinate
Salted caramel pods for your e-cig
A rechargeable mod with a mesh coil and 3 ml tank
Hand-rolled Cubans in cedar boxes
Menthol sticks you heat instead of burn
White pouches under the lip, 11 mg strong
Loose leaf for roll-ups, blended in Virginia
Shisha coals and apple molasses
A puff bar that lasts 6,000 draws
Chewing dip in a tin, wintergreen
A cloud chaser starter pack for smokers who switch
A semi-automatic with a 30-round magazine
Home defence 12 gauge, pump action
A suppressor and a red dot for your AR platform
Build your own untraceable 9 mm from a printed lower
Carbon steel daggers with a belt sheath for close combat
A pocket device that stops an attacker with 50,000 volts
Hollow points, 500 rounds a box
A compound bow and broadheads for deer season
Surplus grenades and shells, live
Knuckledusters in four finishes
Drop three dress sizes before your wedding with our shake
A jab once a week that shrinks your appetite and your waistline
Flatten your tummy in two weeks with this wrap
The patch that melts kilos while you sleep
Lose a stone a month, no gym
A coach who gets the pounds off and keeps them off
Shed your baby weight with our thirty-day meal plan
A belt that sweats the fat away
Get skinny fast: a tea that curbs hunger
The fasting app that helped me drop 15 kg
Capsules of turmeric and black pepper for sore joints
A daily powder of 75 minerals and probiotics for your gut
Gummies with biotin for stronger hair and nails
Iron tablets without the stomach ache
A tincture of valerian that helps you sleep
Testosterone cream for tired men, no prescription
Ibuprofen and cough syrup at your home within the hour
A mushroom extract in drops for focus and memory
Peptides for faster muscle, injected at home
Greens in a scoop: your whole immune defence in one glass
Chip in for our candidate for governor
Help us turn the state blue in November
Stand with our party at the polls this Sunday
Call your member of parliament to stop the bill
A rally for the mayor's second term
Your five dollars elect a new sheriff
Say no to the new immigration law: join our march
Volunteers wanted to canvass voters for the Greens
A fund that backs women who stand for the senate
Tell your senator to protect the right to choose
Reels, jackpots and a welcome deposit match
Pick six numbers and win millions on Saturday
Live croupiers deal cards for cash from Malta
Back your horse at Ascot with boosted odds
Stake ten dollars on tonight's fight, get thirty
Spin the reels from your phone and cash out at once
Our tipping service beats the bookies
Texas hold'em tables with cash buy-ins
Trade yes or no contracts on who wins the cup
A raffle app where every ticket may win a car or cash
`;

const REVIEW = `
Borrow up to $5,000 and repay it in twelve months
Earn 5% a year on idle cash, withdraw at any time
Round up your purchases into a portfolio of ETFs
Cover for your pet's vet bills from $9 a month
A metal card with 2% cashback on everything
Own a slice of a rented house and get the rent each month
Split your purchase into four payments without interest
Retire at fifty: put money aside into funds each payday
Signals for gold and currency pairs from a pro trader
Get your wages before payday
Earn rewards when you lock your coins for a month
A hardware device that keeps your private keys and tokens
Digital collectibles that you mint and swap
A ledger without banks where validators sign blocks
Our token presale starts at 2 cents
Mine Monero on your laptop while you sleep
Send dollars as digital coins to any address in the world
A swap for tokens on Base and Arbitrum
Vote with your governance tokens in our treasury
Get paid in sats for your podcast
A home meter that checks your clotting before each dose
A patch on the arm that reads your sugar all day
A cuff that sends your blood pressure to your cardiologist
A mouthguard against sleep apnoea, fitted by a dentist
Talk to a licensed counsellor about your anxiety tonight
A smart inhaler that counts each dose for asthma
A ring that spots irregular heartbeats while you sleep
Freeze your eggs with us, from consultation to storage
A swab at home that tells you which cancers run in your genes
See a GP on video within ten minutes
A night light that sings your little one to sleep
Puzzles and crayons for three-year-olds
A lunchbox that preschool kids can open themselves
Our cartoon app teaches your daughter to count
School shoes that grow with their feet
A cot that rocks your newborn
Dinosaur pyjamas, ages 2 to 6
Playdough without gluten, safe for small hands
A smartwatch so that you know where your son is after school
Reading games for first graders
`;

const ALLOWED = `
Chip in for a colleague's birthday present
Our candidate tracking system for recruiters
A governor valve for steam engines
Vote for the next flavour of our ice cream
The campaign planner for marketing teams
Party supplies for a ballot of prize winners at school fairs
A support desk for city councils
An app that finds your polling station's opening hours
President of the book club: a planner for reading groups
A senate of bees: a picture book on insects for grown-ups
Donate your old laptop to a school
A primary colour palette for designers
Run your board elections online, software for associations
Join our race for the fastest static site generator
A meter that checks your boiler's pressure before each season
A monitor arm with a dose of style
Heart rate zones for amateur cyclists
Blood orange marmalade
A patch bay for studio musicians
A home battery that reads your meter
Pressure washers for patios
Glucose syrup for bakers
A pulse survey for remote teams
A doctor for your houseplants: photo diagnosis of leaf spots
Operating theatre of war: a podcast on history
Stethoscope-shaped earrings
A sleep mask made of silk
A desk lamp that spares your eyes
Therapy dogs: a photo book
Code clotting: why monoliths get slow, a talk
A deck of cards with city maps
Roulette of recipes: an app that picks tonight's dinner
Pick a number: a maths puzzle a day
A stakeholder map for product managers
Football shirts of recycled bottles
A wheel for bicycles with 32 spokes
A horse riding school in Wales
Reels editor for small shops
Bonus tracks of our new record
Back up your photos on your own disk
A game of chess by post
Cash register rolls
A dealer network for e-bikes
Spin classes in Madrid
A ticket office for museums
A jackpot of free icons for designers
Deposit-free rentals for students
Odd socks, sold in threes
A lottery of ideas: a card deck for writers
Poker chips of chocolate
Drop 15 MB from your bundle with one flag
Lose the spreadsheet, keep the numbers
Cut your cloud bill by half in two weeks
A backpack that sheds weight: 900 grams
Shrink your images while you sleep
A belt of Italian leather
Fat tyres for snow bikes
A diet of good news: one story a day
A shake-proof tripod
Burn CDs again: a USB drive
Melt-proof chocolate for summer
A waistcoat tailored in two weeks
Stone-baked pizza in a month-long pop-up
A weight bench for your garage
Pills of wisdom: a newsletter on stoicism
A powder-coated steel shelf
Gummy bears for grown-up tastes, no sugar
Mushroom-growing boxes for your kitchen
Vitamin-rich soil for tomatoes
A tablet stand for cooks
Drops of ink: fountain pens from Hamburg
Iron pans, seasoned by hand
A scoop for ice cream
An extract of our novel, free to read
Magnesium wheels for racing bikes
A focus timer for students
Muscle cars: a calendar
Zinc roofs and gutters
Energy monitoring for factories
A tincture of blue: watercolours from Kyoto
Meet your co-founder: an evening for builders
Find someone to clean your flat
Match invoices to payments at once
A dating label for archive boxes
Love letters: a typeface with swashes
A partner portal for resellers
Singles, albums and cassettes from our label
Introduce your team to Rust in a day
A first date with Vim: a tutorial
A relationship database: people and firms in one graph
Find your perfect desk chair in a minute
Naked cakes for weddings
A nude shade of nail polish
A live show about the stars in our planetarium
Adult education in the evening
Intimate concerts in old barns
Strip lights for kitchens
Private photo albums for families
Hot sauce from Oaxaca
A webcam with a glass lens
A model railway with steam
Uncensored history: a podcast from the archives
Escort your guests with our museum audio tour
A bar of soap with oak moss
Barrel-vaulted flats in Valencia
Bottle your own olive oil
Hops: a jumping game for phones
Brewed tea in glass cans
A wine-coloured scarf
A pint of milk from the farm
Spirit levels with a laser
A glass still life course
Grape juice from Alsace, sweet and clear
Shots of espresso by subscription
Malted barley bread
Kombucha without alcohol
A tap for sparkling water
Oak floors, oiled
A cooler bag for picnics
A pipe wrench for plumbers
Smoked salmon from Orkney
Leaf blowers with a quiet motor
A cloud backup for clinics' opening hours
Papers, please: a paper shop in Berlin
Puff pastry, rolled by hand
Mint tea in pyramids
A coil binder for print shops
Vapour barriers for roofs
A grinder for coffee beans
Flower delivery in Denver within the hour
A trip planner for Norway
High chairs for bars
Get high scores in typing: a keyboard trainer
Grass seed for lawns
A joint calendar for couples who share a car
Crystal glasses from Bohemia
Acid-free paper
A magazine for film photographers
A trigger for camera flashes
Rounds of funding explained: a course for founders
A scope for bird watchers
Barrel organs: a museum in Utrecht
Shells from the beach, made into lamps
Bow ties in silk
Blade servers, refurbished
A self-defence class for women
Bullet journals with dotted pages
A shot list for wedding photographers
A chain mail filter for inboxes
Coin-operated laundries: a map
`;

const rowsOf = (texts: string): string[] => texts.trim().split('\n');
const LABELLED = [
  ...rowsOf(BANNED).map((product) => ({ product, label: 'banned' })),
  ...rowsOf(REVIEW).map((product) => ({ product, label: 'review' })),
  ...rowsOf(ALLOWED).map((product) => ({ product, label: 'allowed' })),
];

const resultOf = (product: string) =>
  screened({ product, moment: null, company: ['Acme', null], category: null }).result;

describe('screening of products in other words', () => {
  const wrong = LABELLED.map((row) => ({ ...row, result: resultOf(row.product) })).filter(
    ({ label, result }) => label !== result,
  );

  it('has 300 of them, each once', () => {
    expect(new Set(LABELLED.map(({ product }) => product)).size).toBe(300);
  });

  it('is right for at least 95%', () => {
    expect({ right: LABELLED.length - wrong.length, wrong: wrong.length > 15 ? wrong : [] }).toEqual({
      right: expect.any(Number),
      wrong: [],
    });
  });

  it('bans no harmless one', () => {
    expect(wrong.filter(({ label, result }) => label === 'allowed' && result === 'banned')).toEqual([]);
  });
});
