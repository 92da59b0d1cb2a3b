// The training of the open experiment: its trainer, as long as the page is mounted.
import { useEffect, useMemo, type ReactNode } from 'react'
import { complain } from '../../ui/toast.ts'
import { useExperiment } from '../scope.ts'
import { Trainer } from './trainer.ts'
import { TrainerContext } from './useTrainer.ts'

export function TrainingPage({ children }: { children: ReactNode }) {
  const { session } = useExperiment()
  const trainer = useMemo(() => new Trainer({ user: session.target.user.id, docId: session.docId }), [session])
  useEffect(() => {
    trainer.open().catch(complain)
    return () => trainer.close()
  }, [trainer])
  return <TrainerContext value={trainer}>{children}</TrainerContext>
}
