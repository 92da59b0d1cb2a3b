// Neural networks, and chains: these are declared only, and the checker says so.
import { choice, data, name, number, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const learning: readonly Kind[] = [
  {
    id: 'network',
    label: say('Neural network', '神经网络'),
    help: say(
      'A neural network that formulas and Decide steps ask: `net.predict([...])` gives its outputs, `net.best([...])` the index of the largest one, `net.chances([...])` their shares, `net.draw([...])` an index drawn by these, `net.value([...])` the first output.',
      '供公式和决策步骤使用的神经网络：`net.predict([...])` 给出输出，`net.best([...])` 给出最大输出的序号，`net.chances([...])` 给出概率，`net.draw([...])` 按概率抽取序号，`net.value([...])` 给出第一个输出。',
    ),
    family: 'learning',
    shape: 'network',
    size: [120, 56],
    on: ['root'],
    fields: [
      name({ help: say('What formulas call it.', '公式中的名称。') }),
      number('inputs', say('Inputs', '输入数'), 4, { help: say('How many numbers go in.', '输入的数字个数。'), integer: true, min: 1 }),
      text('layers', say('Layers', '层'), '64,64', {
        help: say(
          'Sizes of the hidden layers, separated by commas, for example 64,64. One may have an activation of its own: 64, 32 tanh. Blank: none.',
          '各隐藏层的大小，用逗号分隔，例如 64,64。可单独指定激活函数：64, 32 tanh。留空表示没有隐藏层。',
        ),
      }),
      number('outputs', say('Outputs', '输出数'), 2, {
        help: say('How many numbers come out.', '输出的数字个数。'),
        integer: true,
        min: 1,
      }),
      choice(
        'activation',
        say('Activation', '激活函数'),
        {
          relu: say('ReLU', 'ReLU'),
          tanh: say('tanh', 'tanh'),
          sigmoid: say('Sigmoid', 'Sigmoid'),
          linear: say('None', '无'),
          leaky_relu: say('Leaky ReLU', 'Leaky ReLU'),
          elu: say('ELU', 'ELU'),
        },
        'relu',
        { help: say('Function between the layers.', '层间的激活函数。') },
      ),
      choice(
        'outputForm',
        say('Outputs are', '输出形式'),
        {
          raw: say('As they are', '原样'),
          softmax: say('Shares that add up to 1', '总和为 1 的概率'),
          sigmoid: say('Between 0 and 1', '0 到 1 之间'),
          tanh: say('Between -1 and 1', '-1 到 1 之间'),
        },
        'raw',
        { help: say('What is done with the numbers of the last layer.', '对最后一层数字的处理。'), section: 'advanced' },
      ),
      choice(
        'weights',
        say('Weights', '权重'),
        {
          random: say('Random', '随机'),
          experiment: say('Trained', '训练所得'),
          onnx: say('From a file', '来自文件'),
        },
        'random',
        {
          help: say(
            'Where the weights come from: drawn at random, learned by an experiment, or read from an ONNX or safetensors file.',
            '权重的来源：随机抽取、由实验学习，或从 ONNX、safetensors 文件读取。',
          ),
        },
      ),
      number('seed', say('Seed', '种子'), 1, {
        help: say('Seed for random weights.', '随机权重的种子。'),
        integer: true,
        min: 0,
        when: { weights: ['random'] },
      }),
      data('data', say('Weights kept', '保存的权重'), {
        help: say('The weights themselves, as training or a file gave them.', '权重本身，来自训练或文件。'),
      }),
      text('origin', say('Where they are from', '权重说明'), '', {
        help: say('Which training or file gave the weights.', '权重来自哪次训练或哪个文件。'),
        when: { weights: ['experiment', 'onnx'] },
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
