// Chains and the contracts on them.
import { choice, flag, formula, name, number, ref, rows, text } from './field.ts'
import { CONTRACT, RECORDING } from '../business/limits.ts'
import { type Kind } from './kind.ts'
import { say, sayIn, verbatim } from '../words.ts'

const blockchain: Kind = {
  id: 'blockchain',
  label: say('Blockchain environment'),
  help: say(
    'A local chain on which agents own accounts and call contracts: it executes the bytecode of Ethereum and BSC, with gas, fees and blocks. Formulas read `chain.timestamp`, `chain.balance(account)` and more.',
  ),
  family: 'learning',
  shape: 'chain',
  size: [140, 56],
  on: ['root'],
  fields: [
    name({ help: say('What formulas and Transaction steps call it.') }),
    choice('chain', say('Chain'), { ethereum: say('Ethereum'), bsc: say('BSC'), terra: say('Terra') }, 'ethereum', {
      help: say('Whose rules hold: Ethereum (chain id 1), BSC (chain id 56), or Terra, whose contracts are modules of CosmWasm.'),
    }),
    text('node', say('Node (RPC URL)'), '', {
      help: say(
        'Leave it blank for a local chain. For a fork of the real chain: a name such as mainnet, or an address without keys. No run contacts it: what runs read is recorded once.',
      ),
    }),
    number('startBlock', say('Start block'), 0, {
      help: say('Number of the block before the first one. A fork begins with the state at its end.'),
      integer: true,
      min: 0,
    }),
    text('recording', say('Recording'), '', {
      help: say(
        'What runs read of the real chain at the start block. Record, or `holarchy chain record FILE --endpoint URL`, writes it; it belongs to the model, and runs go from it without a network.',
      ),
      long: true,
      most: RECORDING.length,
      files: '.json,.txt',
      section: 'advanced',
    }),
    number('blockNumber', say('Block number'), 0, {
      help: say('Number of the first new block. 0: the start block + 1.'),
      integer: true,
      min: 0,
    }),
    text('timestamp', say('Timestamp'), '', {
      help: say(
        'Date and time of the start of the run on the chain, such as 2025-01-01 12:00. Blank: the start of a run by calendar, else 2024-01-01.',
      ),
    }),
    number('gasPrice', say('Gas price'), 0, {
      help: say('Wei offered for one unit of gas where a transaction says nothing else; with a fee market the tip.'),
      integer: true,
      min: 0,
    }),
    number('gasLimit', say('Gas limit'), 30000000, {
      help: say('Most gas that one block may use.'),
      integer: true,
      min: 0,
    }),
    choice(
      'blocks',
      sayIn('blocks of a chain', 'Blocks'),
      { instant: say('One for each transaction'), interval: say('After a time') },
      'instant',
      {
        help: say('Each transaction in a block of its own at once, or transactions wait for the next block.'),
      },
    ),
    formula('blockTime', say('Block time'), '1', {
      help: say('Ticks until the next block, worked out behind each block.'),
      result: 'number',
      when: { blocks: ['interval'] },
    }),
    choice('ordering', say('Order in a block'), { fee: say('By fee'), arrival: say('By arrival'), random: say('Random') }, 'fee', {
      help: say('Which waiting transaction comes first; those of one sender keep their order.'),
      when: { blocks: ['interval'] },
    }),
    choice('feeMarket', say('Fee market'), { none: say('None'), eip1559: say('Base fee (EIP-1559)') }, 'none', {
      help: say('Whether a base fee is burnt that rises and falls by up to 1/8 a block with the gas used.'),
      when: { blocks: ['interval'] },
    }),
    number('baseFee', say('Base fee'), 1000000000, {
      help: say('Base fee of the first block, in wei.'),
      integer: true,
      min: 0,
      when: { blocks: ['interval'], feeMarket: ['eip1559'] },
    }),
    number('finality', say('Final after'), 12, {
      help: say('Blocks on top of a block until what is in it is final.'),
      integer: true,
      min: 0,
      when: { blocks: ['interval'] },
    }),
    choice(
      'rules',
      say('Hard fork'),
      {
        auto: say('Automatic'),
        shanghai: verbatim('Shanghai'),
        cancun: verbatim('Cancun'),
        prague: verbatim('Prague'),
        osaka: verbatim('Osaka'),
      },
      'auto',
      {
        help: say(
          'Whose opcodes, precompiles and prices of gas hold. Automatic: Cancun on a local chain, on a fork that of its start block.',
        ),
        when: { chain: ['ethereum', 'bsc'] },
        section: 'advanced',
      },
    ),
    number('tickSeconds', say('Seconds in a tick'), null, {
      help: say('Seconds of the chain’s clock in a tick. Blank: the length of a tick by calendar, else 1.'),
      min: 0,
      section: 'timing',
    }),
    rows(
      'accounts',
      say('Named accounts'),
      [
        text('name', say('Name'), '', {
          help: say('What chain.account("…") calls it. Its address follows from the name.'),
        }),
        formula('balance', say('Balance'), '0', { help: say('Wei that it begins with.') }),
      ],
      { help: say('Accounts that belong to no agent, such as a treasury.') },
    ),
  ],
}

const contract: Kind = {
  id: 'contract',
  label: say('Contract'),
  help: say(
    'A smart contract: compiled bytecode with its interface (ABI). Formulas read its views, as in `token.balanceOf(self.account)`, free of gas and exact; Transaction steps call its methods. `token.address` is its address.',
  ),
  family: 'learning',
  shape: 'chain',
  size: [140, 48],
  on: ['root'],
  fields: [
    name({ help: say('What formulas call it.') }),
    ref('chain', say('Blockchain environment'), ['blockchain'], { help: say('The chain it is on.') }),
    text('artifact', say('Artifact'), '', {
      help: say('JSON that Foundry, Hardhat or solc wrote for the contract: it holds the interface and the code. At most 350 kB.'),
      long: true,
      most: CONTRACT.interfaceLength,
      files: '.json',
    }),
    text('abi', say('ABI'), '', {
      help: say('Its interface as JSON, where there is no artifact.'),
      long: true,
      most: CONTRACT.interfaceLength,
      files: '.json',
    }),
    text('code', say('Creation code'), '', {
      help: say('Bytecode that creates it, as hexadecimal digits, where there is no artifact.'),
      long: true,
      most: CONTRACT.codeLength,
      files: '.bin,.hex,.txt,.wasm,.gz',
    }),
    text('address', say('Address'), '', {
      help: say('Where it is on a fork: 0x and 40 digits. Blank: the model creates it.'),
      section: 'advanced',
    }),
    flag('deployed', say('Deployed at the start'), true, {
      help: say('Off: Transaction steps deploy it, or call it at an address.'),
    }),
    formula('arguments', say('Constructor arguments'), '[]', {
      help: say('List of what its constructor takes.'),
      result: 'list',
      when: { deployed: [true] },
    }),
    formula('value', sayIn('of money', 'Amount'), '0', {
      help: say('Wei that it is created with.'),
      when: { deployed: [true] },
      section: 'advanced',
    }),
    text('deployer', say('Deployer'), 'deployer', {
      help: say('Name of the account that creates it. It pays no gas at the start.'),
      when: { deployed: [true] },
      section: 'advanced',
    }),
  ],
}

export const chain: readonly Kind[] = [blockchain, contract]
