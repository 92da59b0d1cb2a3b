// The fields of a Transaction step.
import { choice, flag, formula, ref, text } from './field.ts'
import { type Field } from './kind.ts'
import { say, sayIn } from '../words.ts'

export const transactionFields: Field[] = [
  ref('chain', say('Blockchain environment'), ['blockchain'], {
    help: say('The chain it is sent to. Blank: the only one.'),
  }),
  choice(
    'does',
    sayIn('kind of item', 'Kind'),
    {
      call: say('Call'),
      read: say('Read'),
      deploy: say('Deploy'),
      transfer: sayIn('of money', 'Transfer'),
      simulate: say('Simulate a call'),
    },
    'call',
    {
      help: say('What sort of transaction. Reading and simulating change nothing and cost nothing.'),
    },
  ),
  formula('account', say('From account'), '', {
    help: say("Expression for the account that sends it. Blank: the actor's."),
  }),
  ref('interface', say('Contract'), ['contract'], {
    help: say('The contract that is called or deployed: its interface, and its code.'),
    when: { does: ['call', 'read', 'simulate', 'deploy'] },
  }),
  formula('contract', say('Contract address'), '', {
    help: say('Address that is called. Blank: where the contract was deployed at the start.'),
    when: { does: ['call', 'read', 'simulate'] },
  }),
  formula('recipient', sayIn('receiver', 'To'), '', {
    help: say('Address, agent or contract that is given the amount.'),
    when: { does: ['transfer'] },
  }),
  text('method', say('Method'), '', {
    help: say('Method that is called; of several with one name the signature, such as swap(uint256,address).'),
    when: { does: ['call', 'read', 'simulate'] },
  }),
  formula('arguments', say('Arguments'), '[]', {
    help: say("List of the method's arguments."),
    result: 'list',
    when: { does: ['call', 'read', 'simulate', 'deploy'] },
  }),
  formula('value', sayIn('of money', 'Amount'), '0', {
    help: say('Amount sent along, in the smallest unit of the currency.'),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
  }),
  choice(
    'otherwise',
    say('If it fails'),
    {
      error: sayIn('raise an error', 'Error'),
      branch: say('Take the default branch'),
      continue: say('Go on'),
    },
    'error',
    {
      help: say('What happens when it is reverted or refused: error 10067, the default flow out of the step, or the normal way.'),
    },
  ),
  formula('gas', say('Gas limit'), '', {
    help: say(
      'Most gas it may use. Blank: what the block or the sender’s balance allows; where transactions wait for blocks, half more than it would use now.',
    ),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  formula('fee', say('Highest fee'), '', {
    help: say('Most wei for one unit of gas. Blank: the gas price of the chain; with a fee market twice the base fee and the tip.'),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  formula('tip', sayIn('of a transaction', 'Tip'), '', {
    help: say('Wei for one unit of gas on top of the base fee. Blank: the gas price of the chain; without a fee market the whole fee.'),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  choice('until', say('Waits until'), { sent: say('Sent'), included: say('In a block'), final: say('Final') }, 'included', {
    help: say(
      'When the step goes on, where transactions wait for blocks: at once, with the block that includes it, or *Final after* blocks later.',
    ),
    when: { does: ['call', 'deploy', 'transfer'] },
    section: 'advanced',
  }),
  formula('timeout', say('Leaves the pool after'), '', {
    help: say('Ticks after which it is dropped when no block has included it; later ones of the sender move up. Blank: it waits on.'),
    result: 'number',
    when: { does: ['call', 'deploy', 'transfer'] },
    section: 'advanced',
  }),
  flag('replaces', say('Replaces the waiting one'), false, {
    help: say(
      'Takes the place and nonce of the sender’s latest waiting transaction; fee and tip have to be a tenth higher. A transfer of 0 cancels it.',
    ),
    when: { does: ['call', 'deploy', 'transfer'] },
    section: 'advanced',
  }),
]
