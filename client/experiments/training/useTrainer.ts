// The trainer of the open experiment, for all that shows it.
import { createContext, use } from 'react'
import type { Trainer } from './trainer.ts'

export const TrainerContext = createContext<Trainer | null>(null)

export function useTrainer(): Trainer {
  const trainer = use(TrainerContext)
  if (!trainer) throw new Error('useTrainer is used outside TrainerContext')
  return trainer
}
