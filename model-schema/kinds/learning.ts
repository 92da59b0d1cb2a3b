// Neural networks, and chains with their contracts.
import { chain } from './chain.ts'
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
  ...chain,
]
