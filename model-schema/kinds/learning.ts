// Neural networks, and chains with their contracts.
import { chain } from './chain.ts'
import { choice, data, name, number, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

export const learning: readonly Kind[] = [
  {
    id: 'network',
    label: say('Neural network'),
    help: say(
      'A neural network that formulas and Decide steps ask: `net.predict([...])` gives its outputs, `net.best([...])` the index of the largest one, `net.chances([...])` their shares, `net.draw([...])` an index drawn by these, `net.value([...])` the first output.',
    ),
    family: 'learning',
    shape: 'network',
    size: [120, 56],
    on: ['root'],
    fields: [
      name({ help: say('What formulas call it.') }),
      number('inputs', sayIn('how many', 'Inputs'), 4, { help: say('How many numbers go in.'), integer: true, min: 1 }),
      text('layers', say('Layers'), '64,64', {
        help: say(
          'Sizes of the hidden layers, separated by commas, for example 64,64. One may have an activation of its own: 64, 32 tanh. Blank: none.',
        ),
      }),
      number('outputs', sayIn('how many', 'Outputs'), 2, {
        help: say('How many numbers come out.'),
        integer: true,
        min: 1,
      }),
      choice(
        'activation',
        sayIn('activation function', 'Activation'),
        {
          relu: say('ReLU'),
          tanh: say('tanh'),
          sigmoid: say('Sigmoid'),
          linear: say('None'),
          leaky_relu: say('Leaky ReLU'),
          elu: say('ELU'),
        },
        'relu',
        { help: say('Function between the layers.') },
      ),
      choice(
        'outputForm',
        say('Outputs are'),
        {
          raw: say('As they are'),
          softmax: say('Shares that add up to 1'),
          sigmoid: say('Between 0 and 1'),
          tanh: say('Between -1 and 1'),
        },
        'raw',
        { help: say('What is done with the numbers of the last layer.'), section: 'advanced' },
      ),
      choice(
        'weights',
        say('Weights'),
        {
          random: say('Random'),
          experiment: say('Trained'),
          onnx: say('From a file'),
        },
        'random',
        {
          help: say('Where the weights come from: drawn at random, learned by an experiment, or read from an ONNX or safetensors file.'),
        },
      ),
      number('seed', say('Seed'), 1, {
        help: say('Seed for random weights.'),
        integer: true,
        min: 0,
        when: { weights: ['random'] },
      }),
      data('data', say('Weights kept'), {
        help: say('The weights themselves, as training or a file gave them.'),
      }),
      text('origin', say('Where they are from'), '', {
        help: say('Which training or file gave the weights.'),
        when: { weights: ['experiment', 'onnx'] },
      }),
    ],
  },
  ...chain,
]
