// The shipped sample models: what the gallery shows of each. The model itself is `samples/<id>.holo`, built from components only; a
// validation test in tests/engine/samples/ holds it against the published result named here.
import { say, type Words } from './words.ts'

export type Sample = {
  /** Name of its file without `.holo`; stable, used in links. */
  id: string
  title: Words
  /** What it shows and what to try: two or three sentences. */
  note: Words
  topic: 'agents' | 'cells' | 'processes' | 'networks' | 'economy'
  /** The published result it reproduces, with its source. */
  reference: Words
}

/** In the order a newcomer should meet them. */
export const samples: readonly Sample[] = [
  {
    id: 'segregation',
    title: say('Segregation'),
    note: say(
      'Households of two groups move when too few of their neighbours are like them. Drag "Similar wanted" and watch how mild wishes part a whole town.',
    ),
    topic: 'agents',
    reference: say('Schelling 1971: 75 to 99 % similar neighbours at rest for 30 to 60 % wanted'),
  },
  {
    id: 'wolf-sheep',
    title: say('Wolves, sheep and grass'),
    note: say(
      'Sheep eat grass, wolves eat sheep, grass grows back. Their numbers swing in turn; change how fast grass regrows and see who survives.',
    ),
    topic: 'agents',
    reference: say('Wilensky 1997: about 160 sheep and 76 wolves in the long run'),
  },
  {
    id: 'epidemic',
    title: say('Epidemic'),
    note: say(
      'A well-mixed population: susceptible, infected, recovered. Move the sliders for contagion and recovery and see when an outbreak dies out and when it sweeps through.',
    ),
    topic: 'agents',
    reference: say('Kermack & McKendrick 1927: final size z = 1 - exp(-R0 z)'),
  },
  {
    id: 'clinic',
    title: say('Clinic'),
    note: say(
      'Patients arrive at random, wait for a free nurse, are treated and leave. Add a nurse and see the queue melt: waiting does not grow in step with load.',
    ),
    topic: 'processes',
    reference: say('Erlang C (M/M/c): for three nurses at 80 % load a mean wait of 1.0787'),
  },
  {
    id: 'token-pool',
    title: say('Token pool'),
    note: say(
      'A constant-product market maker: traders sell one token for another, the price follows the reserves, the fee stays in the pool.',
    ),
    topic: 'economy',
    reference: say('x y = k: selling 100 into 1000/1000 gives 90.909'),
  },
  {
    id: 'trunk-lines',
    title: say('Trunk lines'),
    note: say('Calls that find every line busy are lost. How many lines does it take to lose fewer than one call in a hundred?'),
    topic: 'processes',
    reference: say('Erlang B: loss 0.1217 for 8 erlang on 10 lines'),
  },
  {
    id: 'car-wash',
    title: say('Car wash'),
    note: say('One machine, random arrivals. A steady wash time halves the queue of a random one; a short yard turns cars away.'),
    topic: 'processes',
    reference: say('Pollaczek-Khinchine: mean wait 2.0 for M/D/1 at 80 % load'),
  },
  {
    id: 'emergency-room',
    title: say('Emergency room'),
    note: say('Urgent patients go first, but treatment is never interrupted. The others pay for it in waiting.'),
    topic: 'processes',
    reference: say('Cobham 1954: mean waits 1.000 and 3.333'),
  },
  {
    id: 'inventory',
    title: say('Inventory (s, S)'),
    note: say('Order up to S whenever stock falls below s at the end of a month. Weigh the cost of ordering, holding and shortage.'),
    topic: 'processes',
    reference: say('Law & Kelton: mean monthly cost 125.2 for (20, 40)'),
  },
  {
    id: 'forest-fire',
    title: say('Forest fire'),
    note: say('Fire spreads from tree to neighbouring tree. Between 58 and 61 % tree cover it suddenly crosses the whole wood.'),
    topic: 'cells',
    reference: say('Site percolation: threshold 0.5927'),
  },
  {
    id: 'flocking',
    title: say('Flocking'),
    note: say('Each bird takes the mean heading of those near it, with some noise. Turn the noise up until the flock loses its way.'),
    topic: 'agents',
    reference: say('Vicsek et al. 1995: order falls from 0.99 to 0.06 as noise grows'),
  },
  {
    id: 'money-exchange',
    title: say('Random money exchange'),
    note: say('Everyone gives a coin to somebody at random when they can. Equal chances, very unequal purses.'),
    topic: 'economy',
    reference: say('Dragulescu & Yakovenko 2000: Gini 2/3 for a mean of one coin'),
  },
  {
    id: 'sugarscape',
    title: say('Sugarscape'),
    note: say('Agents with differing sight and hunger gather sugar that grows back. Wealth becomes unequal all by itself.'),
    topic: 'agents',
    reference: say('Epstein & Axtell 1996: Gini about 0.475 in the long run'),
  },
  {
    id: 'bass-diffusion',
    title: say('Bass diffusion'),
    note: say('People adopt a product by advertising or by word of mouth. The classic S-curve of a market.'),
    topic: 'economy',
    reference: say('Bass 1969: peak at t = 6.19, 81 % adopted at t = 10'),
  },
  {
    id: 'prisoners-dilemma',
    title: say('Spatial prisoner’s dilemma'),
    note: say('Cells copy their best neighbour. Cooperation and defection chase one another in ever-changing patterns.'),
    topic: 'cells',
    reference: say('Nowak & May 1992: 0.318 cooperators'),
  },
  {
    id: 'traffic',
    title: say('Traffic'),
    note: say('Cars on a ring road that brake at random. Jams appear from nothing and travel backwards.'),
    topic: 'cells',
    reference: say('Nagel & Schreckenberg 1992: flow 0.1693 at density 0.25'),
  },
  {
    id: 'life',
    title: say('Game of Life'),
    note: say('Four rules and a handful of cells: the R-pentomino keeps changing for 1103 generations.'),
    topic: 'cells',
    reference: say('Conway 1970: 116 cells from generation 1103 on'),
  },
  {
    id: 'langtons-ant',
    title: say('Langton’s ant'),
    note: say('Turn right on white, left on black, flip the cell, step on. After ten thousand steps of chaos it builds a highway.'),
    topic: 'cells',
    reference: say('Langton 1986: 720 black cells after 10,000 steps'),
  },
  {
    id: 'networks',
    title: say('Networks'),
    note: say('Three ways to wire a crowd: at random, small world, hubs. Compare giant component, clustering and degrees.'),
    topic: 'networks',
    reference: say('Erdős-Rényi, Watts-Strogatz, Barabási-Albert laws'),
  },
  {
    id: 'arbitrage',
    title: say('Arbitrage at a pool'),
    note: say(
      'A constant-product pool as a real contract on a local chain, and an arbitrageur who trades it to the outside price. Raise the fee and see how seldom a trade pays, and open the Chain panel to see each one.',
    ),
    topic: 'economy',
    reference: say('Milionis, Moallemi and Roughgarden 2024: a trade in a share 1 / (1 + sqrt(2 λ) γ / σ) of the blocks, .2367 here'),
  },
  {
    id: 'vesting',
    title: say('Vesting and a token economy'),
    note: say(
      'Members are paid granted tokens over 24 months by a contract, spend a third of them, and the shop burns half of what it takes. Every amount is exact to the last unit.',
    ),
    topic: 'economy',
    reference: say('Linear vesting with a cliff: grant × m // 24 after m months; supply = held + locked + shop + bank'),
  },
  {
    id: 'liquidation',
    title: say('Liquidation cascade'),
    note: say(
      'A hundred loans in a lending contract, priced by a pool. Somebody sells, unsafe loans are liquidated into the same pool, and more become unsafe. Move the amount sold and find where a dent becomes a crash.',
    ),
    topic: 'economy',
    reference: say('The cascade ends at the least fixed point of k / (reserve + sold)²; the model works it out beforehand'),
  },
  {
    id: 'block-auction',
    title: say('Block auction'),
    note: say(
      'Searchers bid for the first place in each block; a contract sells it at the second highest bid. Bids wait in the pool and are ordered by fee. Change the number of searchers and see who is left with the gain.',
    ),
    topic: 'economy',
    reference: say('Vickrey 1961: revenue (n - 1) / (n + 1), gain of a bidder 1 / (n (n + 1)) for n uniform values'),
  },
  {
    id: 'conviction-voting',
    title: say('Conviction voting'),
    note: say('A faucet fills a common pool; support for a proposal grows the longer it is held. Every token is accounted for.'),
    topic: 'economy',
    reference: say('Linear recurrence with decay 0.9: half life 6.579 ticks, limit ten times the stake'),
  },
  {
    id: 'newsvendor',
    title: say('Newsvendor'),
    note: say('How many papers to buy before knowing the demand? Try order quantities and find the best one.'),
    topic: 'economy',
    reference: say('Critical ratio: best order 121.43, expected profit 428.57'),
  },
  {
    id: 'cart-pole',
    title: say('Cart and pole'),
    note: say(
      'A pole stands on a cart that is pushed left or right fifty times a second. A rule of one line holds it; open "Learning to balance" and watch a network find out by itself, then take its policy over into this model.',
    ),
    topic: 'processes',
    reference: say('Barto, Sutton & Anderson 1983; solved at a mean of 475 of 500 steps'),
  },
  {
    id: 'admission',
    title: say('Admission to a queue'),
    note: say(
      'Each customer let in pays 10, and each in the queue costs 1 a unit of time. Whom to let in? Drag "Let in below", then let "Learning whom to let in" find the threshold.',
    ),
    topic: 'processes',
    reference: say('Naor 1969: let in while fewer than 4 are there, which gains 5.7678 a unit of time'),
  },
  {
    id: 'cliff-walk',
    title: say('Walk along a cliff'),
    note: say(
      'From one corner of a grid to the other, along a cliff: each step costs 1, a fall 100. A table of values learns the way in some seconds.',
    ),
    topic: 'cells',
    reference: say('Sutton & Barto, example 6.6: the best way takes 13 steps'),
  },
  {
    id: 'lost-sales',
    title: say('Stock with a lead time'),
    note: say(
      'What is ordered today is there the day after tomorrow, and what is missing is not sold. Ordering up to a level is not the best one can do: let "Learning when to order" look for something better.',
    ),
    topic: 'processes',
    reference: say('Zipkin 2008: lead time 2, shortage 4: best 4.395 a day, best level 4.639'),
  },
]

export type SampleExperiment = {
  /** Name of its file in `samples/experiments/` without `.holo`. */
  id: string
  /** The sample it is about: where the file on disk names a path, the gallery links a copy of this one. */
  model: string
  title: Words
  note: Words
}

/** Shipped experiments: `samples/experiments/<id>.holo`. */
export const sampleExperiments: readonly SampleExperiment[] = [
  {
    id: 'clinic-staffing',
    model: 'clinic',
    title: say('Three, four or five nurses'),
    note: say('Monte Carlo: three alternatives under the same patients. The differences are known far better than the waits themselves.'),
  },
  {
    id: 'newsvendor-order',
    model: 'newsvendor',
    title: say('How many papers to order'),
    note: say('Optimisation in forty points: a Gaussian process learns the profit and asks where it may be greater.'),
  },
  {
    id: 'inventory-policy',
    model: 'inventory',
    title: say('When and how much to order'),
    note: say('Optimisation of an (s, S) policy with a constraint on inputs: points it forbids cost no run.'),
  },
  {
    id: 'clinic-tradeoff',
    model: 'clinic',
    title: say('Waiting against staff'),
    note: say('Two objectives: the Pareto front of the mean wait and what the staff costs.'),
  },
  {
    id: 'epidemic-fit',
    model: 'epidemic',
    title: say('Fitting an epidemic'),
    note: say('Calibration: contagion and duration from six counts of the ill, checked on a seventh that was held out.'),
  },
  {
    id: 'wolf-sheep-screening',
    model: 'wolf-sheep',
    title: say('What the number of sheep depends on'),
    note: say('Morris screening of five parameters: which matter at all, and which only together with others.'),
  },
  {
    id: 'cart-pole-learning',
    model: 'cart-pole',
    title: say('Learning to balance'),
    note: say('Reinforcement learning: PPO finds which way to push, from how the pole stands and moves.'),
  },
  {
    id: 'admission-learning',
    model: 'admission',
    title: say('Learning whom to let in'),
    note: say('Reinforcement learning: a network finds the threshold that queueing theory knows.'),
  },
  {
    id: 'cliff-walk-learning',
    model: 'cliff-walk',
    title: say('Learning the way along a cliff'),
    note: say('Reinforcement learning with a table: Q-learning, from falls to the shortest way.'),
  },
  {
    id: 'lost-sales-learning',
    model: 'lost-sales',
    title: say('Learning when to order'),
    note: say('Reinforcement learning: PPO orders better than any fixed level, near the known optimum.'),
  },
]
