// A learned policy as it acts in a model: the best action by its network.
import { Net } from '../../learn/net/net.ts'
import { type LearnedPolicy, type Spaces } from './learner.ts'
import { bestAllowed } from '../../learn/net/shape.ts'
import type { Actor } from './place.ts'

export function policyActor({ shape, weights }: LearnedPolicy, { choices }: Spaces): Actor {
  const net = new Net(shape)
  net.weights = weights
  return (seen, allowed) => {
    const outputs = net.predict(seen)
    return { action: choices > 0 ? bestAllowed(outputs, allowed) : Array.from(outputs), likelihood: 0 }
  }
}
