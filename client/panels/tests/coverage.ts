// What the tests of the model reach, for the canvas: how often each step and branch was reached; null while that is not shown.
import { create } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'

const useCoverageStore = create<{ readonly reached: ReadonlyMap<Id, number> | null }>(() => ({ reached: null }))

export const showCoverage = (reached: ReadonlyMap<Id, number> | null): void => useCoverageStore.setState({ reached })

export const useCoverage = (): ReadonlyMap<Id, number> | null => useCoverageStore(state => state.reached)
