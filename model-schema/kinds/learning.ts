// Declared kinds whose steps come later: they are part of the file format and can be drawn, and the checker says so.
import { choice, name, number, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const learning: readonly Kind[] = [
  {
    id: 'network',
    label: say('Neural network', '神经网络'),
    help: say(
      'A neural network that Decide steps and formulas ask: `net.predict([...])`. Declared in the file; it cannot run yet.',
      '供决策步骤和公式使用的神经网络：`net.predict([...])`。目前可写入文件，尚不能运行。',
    ),
    family: 'learning',
    shape: 'network',
    size: [120, 56],
    on: ['root'],
    planned: true,
    fields: [
      name({ help: say('What formulas call it.', '公式中的名称。') }),
      number('inputs', say('Inputs', '输入数'), 4, { help: say('How many numbers go in.', '输入的数字个数。'), integer: true, min: 1 }),
      text('layers', say('Layers', '层'), '64,64', {
        help: say('Sizes of the hidden layers, separated by commas, for example 64,64.', '各隐藏层的大小，用逗号分隔，例如 64,64。'),
      }),
      number('outputs', say('Outputs', '输出数'), 2, {
        help: say('How many numbers come out.', '输出的数字个数。'),
        integer: true,
        min: 1,
      }),
      choice(
        'activation',
        say('Activation', '激活函数'),
        { relu: say('ReLU', 'ReLU'), tanh: say('tanh', 'tanh'), sigmoid: say('Sigmoid', 'Sigmoid'), linear: say('None', '无') },
        'relu',
        { help: say('Function between the layers.', '层间的激活函数。') },
      ),
      choice(
        'weights',
        say('Weights', '权重'),
        {
          random: say('Random', '随机'),
          experiment: say('From an experiment', '来自实验'),
          onnx: say('From an ONNX file', '来自 ONNX 文件'),
        },
        'random',
        { help: say('Where the weights come from.', '权重的来源。') },
      ),
      number('seed', say('Seed', '种子'), 1, {
        help: say('Seed for random weights.', '随机权重的种子。'),
        integer: true,
        min: 0,
        when: { weights: ['random'] },
      }),
    ],
  },
  {
    id: 'blockchain',
    label: say('Blockchain environment', '区块链环境'),
    help: say(
      'A chain on which agents own accounts: an empty deterministic one, or a fork of a real one through a node. Declared in the file; it cannot run yet.',
      '智能体拥有账户的链：空的确定性链，或通过节点从真实链分叉。目前可写入文件，尚不能运行。',
    ),
    family: 'learning',
    shape: 'chain',
    size: [140, 56],
    on: ['root'],
    planned: true,
    fields: [
      name({ help: say('What formulas and Transaction steps call it.', '公式和交易步骤使用的名称。') }),
      choice(
        'chain',
        say('Chain', '链'),
        { ethereum: say('Ethereum', 'Ethereum'), bsc: say('BSC', 'BSC'), terra: say('Terra', 'Terra') },
        'ethereum',
        {
          help: say(
            'Whose rules hold: Ethereum and BSC run EVM contracts, Terra CosmWasm.',
            '遵循哪条链的规则：Ethereum 和 BSC 运行 EVM 合约，Terra 运行 CosmWasm。',
          ),
        },
      ),
      text('node', say('Node (RPC URL)', '节点 (RPC URL)'), '', {
        help: say('Address of a node to fork from. Blank: an empty local chain.', '用于分叉的节点地址。留空表示空的本地链。'),
      }),
      number('startBlock', say('Start block', '起始区块'), 0, {
        help: say('Block after which the chain is forked.', '从哪个区块之后分叉。'),
        integer: true,
        min: 0,
      }),
      number('blockNumber', say('Block number', '区块号'), 0, {
        help: say('Number of the first new block.', '第一个新区块的编号。'),
        integer: true,
        min: 0,
      }),
      text('timestamp', say('Timestamp', '时间戳'), '', {
        help: say(
          'Date and time of the first new block. Blank: that of the start block.',
          '第一个新区块的日期时间。留空则用起始区块的时间。',
        ),
      }),
      number('gasPrice', say('Gas price', 'Gas 价格'), 0, {
        help: say('Price of one unit of gas, in the smallest unit of the currency.', '单位 gas 的价格，以货币最小单位计。'),
        min: 0,
      }),
      number('gasLimit', say('Gas limit', 'Gas 上限'), 30000000, {
        help: say('Most gas that one block may use.', '一个区块可使用的最大 gas。'),
        integer: true,
        min: 0,
      }),
    ],
  },
]
