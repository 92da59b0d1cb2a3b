// What the reference says about chains, contracts and transactions.
import { say, type Words } from '../../model-schema/kinds/kind.ts'

export const chainWords: Words = say(
  `A *Blockchain environment* is a local chain, or a fork of a real one: accounts, blocks and a virtual machine that executes the bytecode of Ethereum (chain id 1) and BSC (chain id 56)
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
  decoded reason: \`Error(string)\`, \`Panic(code)\`, or an error of the contract with its arguments. Values in \`output\` may be anything: write \`integer(step.output["value"])\` to calculate with one.
- **Blocks**: one for each transaction at once, or after *Block time*. Then transactions wait: by fee, arrival or at random, each sender's in the order of its nonces, as many as the gas limit
  holds; steps go on in the order of the block. *Base fee (EIP-1559)* burns a fee that follows demand. *Waits until* lets a step go on at once, with the block or when that is final; *Leaves the pool after* drops one that no block takes; *Replaces the waiting one* takes the place and nonce
  of the sender's latest one for a tenth more (a transfer of 0 cancels it). A block's time is the start of the chain and the seconds since, at least one more than the block before.
- **Events** of a contract throw the signal whose *Event of contract* names it, with their arguments as payload.
- **Forks**: *Node* names a node (\`mainnet\`, or an address without keys), *Start block* the block whose state the run begins with. \`holarchy chain record FILE --endpoint URL\` reads what
  runs need, compares it with the block's state root, and writes it into *Recording*: it belongs to the model, and no run contacts a node. A contract of the chain has *Address* and *ABI*.
  What a run needs and the recording has not is 9033 with its name: record again, with the seeds that are to be run (\`--replications\`).
- **Terra**: contracts are modules of CosmWasm (version 1.0 and later): put the .wasm file into *Creation code* as base64, plain or compressed by gzip. They take messages: the *Method* of a step is the message's name and its arguments a list with one dict,
  as in \`[{"recipient": Holder.individuals[0], "amount": integer(5)}]\`; \`token.query({"balance": {"address": self.account}})\` reads. Integers and entities become texts. Amounts and fees are in uluna; events have the names \`wasm\` and those that contracts give.
  Results, storage, events, submessages and transfers of coins are exact; gas is near (wasmd's prices; the fee is that of the gas used); a transaction takes at most 5 × 10^8 instructions. Not there: forks of Terra, IBC, staking, governance, contracts before version 1.0.

Exact: results, gas, logs, addresses of contracts, base fees. By the model: when blocks come, and who comes first. Block hashes are made from seed and number. Not there: blob fees of a fork's block,
the system precompiles of BSC (a call to them fails by name); signatures and consensus.`,
  `*区块链环境*是一条本地链，或真实链的分叉：账户、区块和虚拟机，执行 Ethereum（链 ID 1）与 BSC（链 ID 56）在 Cancun 硬分叉之后的字节码（分叉遵循其区块的规则），并通过官方状态测试。运行不经过网络，与其他运行一样可复现。

- **合约**是带接口的字节码：把 Foundry、Hardhat 或 solc 生成的 JSON 粘贴到“编译产物”，或填写“ABI”和“创建代码”。开始时部署的合约按画布次序、在个体诞生之前创建；\`token.address\` 为其地址。
- **账户**：智能体的“账户所在链”指定某条链时，其个体拥有账户 \`self.account\`，诞生时带有“余额”；具名账户是链的表格行，\`chain.account("treasury")\`。地址由归属导出。没有私钥：步骤可从任何账户发送。
- **视图**即公式：\`token.balanceOf(self)\`、\`pool.getReserves()[0]\`。免费、不改变任何状态，看到的是当前状态。需要地址处也可写有账户的实体。
- **数值**：不超过 48 位的整数为数值，更宽的为大整数（精确）；图表用 \`float(x, 18)\`，金额用 \`units("1.5", 18)\`。文本、真假、列表；地址与字节为 \`0x…\` 文本；具名元组为字典。不符合类型时为 10016。
- **交易**步骤可调用、部署、转账、模拟或读取。\`step.output\` 是字典：\`status\`（success、reverted、refused、dropped、replaced、sent）、\`value\`、\`hash\`、\`gas\`、\`fee\`、\`block\`、\`index\`、\`events\`（各含 \`contract\`、\`event\`、\`values\`）、\`error\`。回退撤销交易在链上所做的一切，但不撤销“之前”的赋值；费用照付。\`error\` 是解码后的原因：\`Error(string)\`、\`Panic(code)\` 或合约错误及其参数。\`output\` 中的值类型不定：计算时写 \`integer(step.output["value"])\`。
- **区块**：每笔交易立即一个区块，或按“出块间隔”。后者中交易等待：按费用、到达先后或随机排序，同一发送者按 nonce 次序，直到 gas 上限；步骤按区块内次序继续。“基础费用 (EIP-1559)”销毁随需求变化的费用。“等待至”决定步骤立即、入块或最终确定时继续；“多久后离开交易池”丢弃迟迟未入块的交易；“替换等待中的交易”以高出十分之一的费用取代发送者最近一笔（转账 0 即取消）。区块时间为链的开始时间加经过的秒数，至少比前一区块大 1。
- **事件**：合约的事件会发出“合约事件来源”指向它的信号，参数作为负载。
- **分叉**：“节点”填写名称（\`mainnet\`）或不含密钥的地址，“起始区块”为运行开始状态所在的区块。\`holarchy chain record FILE --endpoint URL\` 读取运行所需内容，与区块状态根核对，并写入“录制内容”：它属于模型，运行不连接任何节点。链上的合约填写“地址”与 ABI。运行需要而未录制的内容会以 9033 指出：请按要运行的种子重新录制（\`--replications\`）。
- **Terra**：合约是 CosmWasm 模块（1.0 及以后版本）：把 .wasm 文件以 base64（原样或 gzip 压缩）填入“创建代码”。合约接受消息：步骤的“方法”为消息名称，参数为含一个字典的列表，如 \`[{"recipient": Holder.individuals[0], "amount": integer(5)}]\`；\`token.query({"balance": {"address": self.account}})\` 用于读取。Integer 与实体会转为文本。金额与费用以 uluna 计；事件名为 \`wasm\` 及合约所给名称。
  结果、存储、事件、子消息与转账精确；gas 为近似（wasmd 的价格；费用按实际使用的 gas）；一笔交易至多执行 5 × 10^8 条指令。不提供：Terra 分叉、IBC、质押、治理、1.0 之前的合约。

精确的有：执行结果、gas、日志、合约地址、基础费用。由模型决定的有：何时出块、谁先执行。区块哈希由种子和编号生成。不提供的有：分叉区块的 blob 费用、BSC 的系统预编译合约（调用会以其名称报错）；签名与共识。`,
)
