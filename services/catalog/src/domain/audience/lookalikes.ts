/**
 * Common words one letter away from a word of the phrases: a patent is no misspelled parent. A new phrase with a word
 * of six letters or more may need new entries.
 */
export const LOOKALIKES: ReadonlySet<string> = new Set(
  `
academia acquire acquired activism adapter adjusted adkin admit adopted advertised advise advised advisory affaire
affiliated agence airliner analyse angela angele angell angelo anger angle angled annular antler archer argent
artiste auction auditory automaton backing balance balanced balked ballet ballon banding banger banging banked
banner banning banter barbed baring barked barker barking barter basing basking batista batter battled beache beaker
beater beating beatty becker berber bicker bidder biding bikini binder biting bitter blacked blacker
bloating blogged boarded boasting boateng boeing bolting boning bonker booing booker booming booting border boring
bottle bouncy bower bowing braiding braking branch breach breached breastfed breathe breeche bremer brewed brewery
breyer bribe bridge bridle broadcasted broken brooking bucked budgeted bunker butchery butter buttery cabling cache
calder called callin calmer calming caloric camber camped campion canter caper capita capitalise capitalism capitan
capitol capping captured caring carling carson carter carton cartoonish carver carving casing casper cater catered
ceding centred centro certain chair challenge challenged champaign chancel chanel changing charing charming charting
checked cheesy chiral chocolat choker choking chorale clamping clause cleaned cleanser cleansing clearer clearing
cleaver cleese climbed cloning close closed closet cloth clothed clotting clover clutter coached coarse cocker
coffer coffey coking colder collage comer coming commence committed commuter commuting competing compile
compiled compose composed composing compute computed conceit concept concern concerto congresse conner consent
consoled consume consumed contact contend contest context contrast controlled convent convert cooked cookery cookin
cooler cooling cooper coping coral corker cornea corned cornet coroner couche coulter councilor counted county
coupled coupler couplet cover crafted cramping crater craving creatine crise croker crown cruised cruiser culling
cultured currant curse curtail curtin custer dagger decker defection defense derision deriving desert designed
detention developed dialing dinar diploma directory directv directx discover diversify divert divided diving docked
docket donner dressed dresser drive drivel driven drivin drove drummed dryer easter eatery ejection electron
electronica enter enthusiasm escort ester experienced export eyelash famer farber faring farmed farther
farting faster fatter faulty feather fending ferrara ferraris fester fiance fight figured financed fireball firmer
fischer fishe fished fisherman fishery flatter flier flipped flooding flounder footer forage forger former
forming formulae forster founded framer framing franc franca franchised franck franco freshen fright fronted funder
funding gaping garbage gardiner gardner garvin gasse gating gazing genera generale glassy glide glosse glute goggle
googled googly graduated grasse grocer groomed groupy guided guise hacked hadley hailey halley handyman hanley
hardball harker harlem hartley harvey hawker hawley hayley hearth hickey hiding hither hodder hogging holden holger
holier holler holliday hoping hosted howler huggin hunger hunted hurley hustled identify impart inferior
infest influence influenced ingest ingesting inland insider insomniac institut instituted instituto insure insured
internationale invent inventing inventor invert inverting issue issued jagger jogged jupiter kindly knitted lander
landing landscape landscaped larder lauder lawler leaded leading leaker leander leaner leaning learned leaver
lectured ledge lerner lesion lessen letterbox lever lifted limiter linder liner lister liter literary litter liver
loader locker lodger looked looper looser looter loser lower lunge lyricism machina machined macron madder
maintained major manage manger manicured manor marco marina mariner marino marital marked marker marketed markey
marnie martian martine massaged mastery matche materia materiel maternal mathematica mather matter maxine mediation
medication menial merced message milner minisery minor minster mister mistrial mitral mixer modded modem modesto
modesty molest mony mooring mortgaged motel murine musica muster nacional nationale natura natured neutral notion
notional offload olympia orchestral organise organism pacer pacing packed packet paddled paging painter palate
paltry panting pantry panty parable paring parity parker parson partly patent patron patting patty paving payer
payoff pearson pecker peddle peddler perfumed persona persson petting phase phobic phoned phoney photograph
photographed phrased picked picken picket pierson pinker pinter pirate pitting placer placing plane planet planing
plank planned plantar planted plaster plastered plate plating platter playable played playin plotting plummer
plunged plunger plying pointe pointer pointing pointy police politico polity pooling porting posting posture potter
pouting prayer praying premiere presented primacy primark primate print printed produce produced programme
programmed properly protect provide provided prying publishe publix pucker puddle pulling putting quaint qualify
quart quieter quilted quitter quitting racine racket racking raging raider raiding railing raining raisin raking
ramble rapier raping rapped raster rating raving reactor realty reaper recife recite recruited recycle recycled
refuge reggie regulatory render renner renovated report reported researche researched responded retain retainer
retire retired retort revenge revere reverie reversed reviewed revolt righty riker ripper riser rising river
roadster roasted rocked rocker roger roofed rooster roping roster rover roving rowling royal ruining runnin salesman
salmon saloon sanger sapling sawing saxon sayer saying scaring scoping score scouring screamer seaford sealer
searche seater seaton seeding seeger seeing serve served serviced seward shack shaker shaking shaver shaving shimmer
shipper shock shopped shore shorter showed signer simmer singed sinker sinner skate skated sketche sketchy skimming
slack slater slimmer slimming slower smack smiling sneaked snitch snoring snort soaking societe solano solidify
sourced sowing spector speeche spewing spore sporty spout spurt squish stacking staging stake staked stalk stalker
stalking starch stare staring statin stating staying steamer stewart stick still stinger stitch stocky stoke stoker
stoking stone stopper stored storey storing stork storm story stove streamed streep stride strife striker strip
striped strive stroke strolled stuffing successe suffer surging sustainably swatch sweet swinger switche syndicated
tabled tacking taster tasting taylor teache teamed teaser teste tested texting thicket thread thrifty throat ticked
ticker tiger tiller timer tipper toning toolbox topography toured tracer tracing track tracked traded tradesman
trailer trailing trained trainor trait transformed trapper traveled travelled traver treading treasure treasured
treat triad tribal trick tricking tripped trucking trumped trunk tubing tucker tumor turing turning twitchy
underwrite unison unite untied vantage vented ventura ventured venturi vesicle victor vishal vocation waiter walked
walken walled waller walter wanker watched watchin wealthy weeding weeknd weigh weighty welding welker whiter wintry
witche witcher wrestle wrestled wright write
`
    .trim()
    .split(/\s+/),
);
