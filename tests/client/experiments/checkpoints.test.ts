// Which policies of a training are kept: few, spread over all epochs, the last among them.
import { expect, test } from 'vitest'
import { withCheckpoint, type Checkpoint } from '../../../client/experiments/training/checkpoints.ts'

const checkpoint = (epoch: number, weights = 10): Checkpoint => ({
  epoch,
  policy: { shape: { inputs: 1, layers: [{ size: 1, activation: 'linear' }] }, weights: new Float32Array(weights) },
})
const after = (epochs: number, weights?: number): number[] => {
  let kept: readonly Checkpoint[] = []
  for (let epoch = 1; epoch <= epochs; epoch++) kept = withCheckpoint(kept, checkpoint(epoch, weights))
  return kept.map(({ epoch }) => epoch)
}

test('checkpoints: at most 20 and two million weights, the last always, the others spread', () => {
  expect(after(5)).toEqual([1, 2, 3, 4, 5])
  const many = after(1000)
  expect(many.length).toBeLessThanOrEqual(20)
  expect(many.length).toBeGreaterThanOrEqual(8)
  expect(many.at(-1)).toBe(1000)
  expect(many[0]).toBeLessThan(250)
  expect(after(9, 500_000).length).toBeLessThanOrEqual(4)
  expect(after(3, 3_000_000)).toEqual([3])
})

test('checkpoints: epochs that are learned again take the place of what was kept', () => {
  expect(withCheckpoint([checkpoint(1), checkpoint(2), checkpoint(3)], checkpoint(2)).map(({ epoch }) => epoch)).toEqual([1, 2])
})
