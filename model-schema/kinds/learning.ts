// Declared kinds whose steps come later: they are part of the file format and can be drawn, and the checker says so.
import { choice, name, number, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const learning: readonly Kind[] = [
  {
    id: 'network',
    label: say('Neural network', '神经网络'),
    help: say('', ''),
    family: 'learning',
    shape: 'network',
    size: [120, 56],
    on: ['root'],
    planned: true,
    fields: [
      name(),
      number('inputs', say('Inputs', '输入数'), 4, { integer: true, min: 1 }),
      text('layers', say('Layers', '层'), '64,64'),
      number('outputs', say('Outputs', '输出数'), 2, { integer: true, min: 1 }),
    ],
  },
  {
    id: 'blockchain',
    label: say('Blockchain environment', '区块链环境'),
    help: say('', ''),
    family: 'learning',
    shape: 'chain',
    size: [140, 56],
    on: ['root'],
    planned: true,
    fields: [
      name(),
      choice(
        'chain',
        say('Chain', '链'),
        { ethereum: say('Ethereum', 'Ethereum'), bsc: say('BSC', 'BSC'), terra: say('Terra', 'Terra') },
        'ethereum',
      ),
      text('node', say('Node (RPC URL)', '节点 (RPC URL)')),
      number('startBlock', say('Start block', '起始区块'), 0, { integer: true, min: 0 }),
      number('blockNumber', say('Block number', '区块号'), 0, { integer: true, min: 0 }),
      text('timestamp', say('Timestamp', '时间戳')),
      number('gasPrice', say('Gas price', 'Gas 价格'), 0, { min: 0 }),
      number('gasLimit', say('Gas limit', 'Gas 上限'), 30000000, { integer: true, min: 0 }),
    ],
  },
]
