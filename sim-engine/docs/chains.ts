// What the reference says about chains, contracts and transactions.
import { say, type Words } from '../../model-schema/words.ts'

export const chainWords: Words =
  say(`A *Blockchain environment* is a local chain, or a fork of a real one: accounts, blocks and a virtual machine that executes the bytecode of Ethereum (chain id 1) and BSC (chain id 56)
after the Cancun hard fork (a fork has the rules of its block), held to the official state tests. Nothing goes over a network, and a run with a chain is reproducible like every other.

- **Contracts** are bytecode with an interface: paste the JSON that Foundry, Hardhat or solc wrote into *Artifact*, or give *ABI* and *Creation code*. Those
  deployed at the start are created in the order of the canvas, before individuals come into being; \`token.address\` is where one is.
- **Accounts**: individuals of an agent whose *Account on* names a chain have one, \`self.account\`, with *Balance* on it when they come into being; named accounts
  are rows of the chain, \`chain.account("treasury")\`. Addresses follow from what they belong to. There are no private keys: a step may send from any account.
- **Views** are formulas: \`token.balanceOf(self)\`, \`pool.getReserves()[0]\`. They are free, change nothing and see the state as it is now. Where an address is wanted, an
  entity with an account does.
- **Values**: whole numbers of up to 48 bits are numbers, wider ones Integers (exact); \`float(x, 18)\` for charts, \`units("1.5", 18)\` for amounts. Texts, truths, lists; addresses
  and bytes are texts \`0x…\`; tuples with names are dicts. What does not fit is 10016.
- **Transaction** steps call, deploy, transfer, simulate or read. \`step.output\` is a dict: \`status\` (success, reverted, refused, dropped, replaced, sent), \`value\`, \`hash\`, \`gas\`, \`fee\`, \`block\`,
  \`index\`, \`events\` (each with \`contract\`, \`event\`, \`values\`), \`error\`. A revert undoes what the transaction did on the chain, not what *Before* wrote; fees stay paid. \`error\` is the
  decoded reason: \`Error(string)\`, \`Panic(code)\`, or an error of the contract with its arguments. Its types are those of the ABI, so that an unknown key is a mistake; where the
  step goes on after an error, and on Terra, \`value\` may be anything: write \`integer(step.output["value"])\` to calculate with it.
- **Blocks**: one for each transaction at once, or after *Block time*. Then transactions wait: by fee, arrival or at random, each sender's in the order of its nonces, as many as the gas limit
  holds; steps go on in the order of the block. *Base fee (EIP-1559)* burns a fee that follows demand. *Waits until* lets a step go on at once, with the block or when that is final; *Leaves the pool after* drops one that no block takes; *Replaces the waiting one* takes the place and nonce
  of the sender's latest one for a tenth more (a transfer of 0 cancels it). A block's time is the start of the chain and the seconds since, at least one more than the block before.
- **Events** of a contract throw the signal whose *Event of contract* names it, with their arguments as payload.
- **Forks**: *Node* names a node (\`mainnet\`, or an address without keys), *Start block* the block whose state the run begins with. \`holarchy chain record FILE --endpoint URL\` reads what
  runs need, compares it with the block's state root, and writes it into *Recording*: it belongs to the model, and no run contacts a node. A contract of the chain has *Address* and *ABI*.
  What a run needs and the recording has not is 9033 with its name: record again, with the seeds that are to be run (\`--replications\`).
- **Terra**: contracts are modules of CosmWasm (version 1.0 and later): put the .wasm file into *Creation code* as base64, plain or compressed by gzip. They take messages: the *Method* of a step is the message's name and its arguments a list with one dict,
  as in \`['{'"recipient": Holder.individuals[0], "amount": integer(5)'}']\`; \`token.query('{'"balance": '{'"address": self.account'}}')\` reads. Integers and entities become texts. Amounts and fees are in uluna; events have the names \`wasm\` and those that contracts give.
  Results, storage, events, submessages and transfers of coins are exact; gas is near (wasmd's prices; the fee is that of the gas used); a transaction takes at most 5 × 10^8 instructions. Not there: forks of Terra, IBC, staking, governance, contracts before version 1.0.

Exact: results, gas, logs, addresses of contracts, base fees. By the model: when blocks come, and who comes first. Block hashes are made from seed and number; from Prague on the contract of EIP-2935 keeps them. Not there: blob fees of a fork's block, roots of a beacon chain (EIP-4788),
the system precompiles of BSC (a call to them fails by name); signatures and consensus.`)
