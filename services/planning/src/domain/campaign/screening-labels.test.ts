import { describe, expect, it } from '@jest/globals';
import { screened } from './screening.js';

/**
 * 206 products, labelled from what the categories mean before any of them was screened
 * (docs/domain/network.md#category-screening). Misses stay: phrases are chosen for a category, never to fit a row.
 */
const BANNED = `
A platform where models sell explicit photos to their subscribers
Handmade sex toys, shipped in plain boxes
Unlimited NSFW chat with AI girls
Discreet escorts for your business trip
A monthly prosecco subscription
Small-batch gin, four bottles to your door
Single malt whisky from a family cask
Natural wine club with 3 bottles a month
Canned cocktails for festivals: margarita, negroni, spritz
A craft beer festival ticket with ten tastings
Our new dark rum is aged in oak barrels
Hard seltzer with real fruit
Vegan condoms that you can buy by subscription
An app that delivers birth control to your home
Emergency contraception without an appointment
Dating app for people who love dogs
Meet singles near you tonight
Matchmaking for busy lawyers who look for love
Speed dating evenings in Leeds
CBD oil for calmer evenings
Weed delivery in Denver within the hour
Magic mushrooms microdosing kit
THC gummies that give you a mellow high
A dispensary with forty strains of cannabis
Disposable vapes in twelve flavours
Nicotine pouches with a mint flavour
Premium cigars from Nicaragua
Hookah and shisha for your lounge
9 mm ammunition at wholesale prices
A concealed carry holster for your pistol
Tactical knives and stun guns
Hunting rifles with free shipping
Lose weight in ten days with our tea
Fat burner capsules for your summer body
Ozempic without the waiting room
Belly fat program: drop two dress sizes
Nootropics for founders who sleep four hours
Multivitamins made for runners
Herbal remedies for headaches
An online pharmacy with next-day delivery
Ashwagandha supplements against stress
Protein powder with added creatine
Vote for our candidate for mayor of Springfield
A political party asks for your support in the election
Sign the petition against the new tax bill
Donate to the campaign of our senator for re-election
Online casino with 200 free spins
Bet on football with live odds
A sportsbook with daily boosts
Win real money at blackjack
Lottery tickets on your phone
Real money poker rooms with a welcome bonus
Fantasy sports for cash prizes every Sunday
Prediction market on everything
Vodka, free delivery over $50
One-stop vape shop in Austin
10% off bourbon this week
No deposit online casino games
Slot machines with a jackpot
Strip club with a new stage
A brewery in Leeds opens its doors
Winery tours in Tuscany with tastings
Wine, delivered chilled in an hour
Poker nights with cash prizes
Erotic audio stories for couples
Sildenafil, prescribed online
GLP-1 injections by post
Kratom and hemp flower
Crossbows for hunters
Firearms training and gun range membership
Bulk ammo for hunters, shipped free
Bet on horses from your phone
`;

const REVIEW = `
A credit card for freelancers
Car insurance by the mile
A neobank for teenagers
Personal loans within minutes
Commission-free stock trading
A robo-advisor for your pension
Mortgages for first-time buyers
Bitcoin savings for everybody
A self-custody crypto wallet
A DeFi protocol for stablecoin yields
NFT tickets for concerts
A memecoin launchpad
Layer 2 network for Ethereum
Online therapy with licensed therapists
A hearing aid that pairs with your phone
Blood tests at home
Telehealth for rural patients
Laser eye surgery from $999
A fertility clinic with new hours
A wearable blood pressure monitor
Wooden toys for toddlers
An app for kids who learn to read
Baby food in glass jars
Bedtime stories for children
Diapers by subscription
Rum and its islands, a documentary
A cocktail app
A gun safe
Ammo
Index funds for beginners
Equity crowdfunding for breweries' software suppliers
`;

const ALLOWED = `
Real user monitoring (RUM) for web teams
Spreadsheets on steroids
Wine for Linux, a new release
Planning poker for remote teams
A Gin web framework starter for Go developers
An observability tool that finds slow pages
Project management for agencies
An AI pair programmer for TypeScript
Inventory software for breweries
A CRM for wineries
Point of sale for bars and liquor shelves, an API for receipts
Alcohol-free spirits for weeknights
A mocktail recipe app
Ginger beer with real ginger
Non-alcoholic wine
Root beer floats at home
Rubbing alcohol wipes for screens
A quit smoking app
A vape detector for schools
A podcast on gambling addiction
A porn blocker for families
NSFW moderation API for forums
Carbon dating lab equipment
Time slots for your customers: an appointment scheduler
Hash tables explained, a course for developers
A weed killer made of vinegar
Hemp fabric shirts
A joint venture newsletter
Kitchen knives from Solingen
A glue gun for crafts
A massage gun for runners
The secret weapon of marketing teams
Digital detox weekends
Slim fit jeans
A slim wallet made of leather
Time capsule photo app
A capsule wardrobe planner
Coffee capsules you can compost
A supplement to your English course
Vote for features: a feedback board
Design tokens for Figma
LLM tokens per second benchmark
Access tokens rotated automatically
AirDrop files between Windows and iPhone
Data mining lectures
Trading cards of football stars
No credit card needed: a free trial of our editor
Process mining for factories
Toy datasets for machine learning
Child process supervision in Node
Dog toys that last
A retail therapy podcast
Root cause diagnosis for servers
Soil fertility sensors for farms
SEO clinic for small shops
An SEO tool that finds your best bet for growth
Multiplayer matchmaking servers
Tennis singles coaching
Hit singles of the 80s, a playlist
Ford Escort spare parts
Nude lipstick palette
Wire strippers for electricians
Tips and tricks for Excel
Odds and ends from our studio
A coworking space in Lisbon
Hiking boots with a wide fit
A language course for Spanish
Running shoes of recycled plastic
A cookbook for beginners
A meal kit with local vegetables
Noise-cancelling headphones
An electric bike for hills
A budget hotel in Porto
A city guide to Tbilisi
Video editing on the phone
A newsletter on climate policy careers
A bookkeeping tool for plumbers
Payroll for startups
Recruiting software for nurses
A smart thermostat
Solar panels on a balcony
House plants by post
A tent for four
A photo printer
A note-taking app
A calendar that defends your focus
Email marketing for shops
A podcast host for teachers
A board game on trains
An indie game about lighthouses
A vinyl record of piano music
A sourdough starter
Cold brew coffee
Matcha from Uji
Sparkling water with lemon
A skin care routine with SPF
A yoga mat
A marathon training plan
A gym for climbers
A font for signage
Ammo for your sales team: battlecards
Bet on your team: an employee recognition app
Killer deals on laptops, gun metal finish
`;

const rowsOf = (texts: string): string[] => texts.trim().split('\n');
const LABELLED = [
  ...rowsOf(BANNED).map((product) => ({ product, label: 'banned' })),
  ...rowsOf(REVIEW).map((product) => ({ product, label: 'review' })),
  ...rowsOf(ALLOWED).map((product) => ({ product, label: 'allowed' })),
];

const resultOf = (product: string) =>
  screened({ product, moment: null, company: ['Acme', null], category: null }).result;

describe('screening of labelled products', () => {
  const wrong = LABELLED.map((row) => ({ ...row, result: resultOf(row.product) })).filter(
    ({ label, result }) => label !== result,
  );

  it('has 206 of them, each once', () => {
    expect(new Set(LABELLED.map(({ product }) => product)).size).toBe(206);
  });

  it('is right for at least 95%', () => {
    expect({ right: LABELLED.length - wrong.length, wrong: wrong.length > 10 ? wrong : [] }).toEqual({
      right: expect.any(Number),
      wrong: [],
    });
  });

  it('bans no harmless one', () => {
    expect(wrong.filter(({ label, result }) => label === 'allowed' && result === 'banned')).toEqual([]);
  });
});
