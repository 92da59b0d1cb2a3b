// The language services of a formula where it stands: names in reach of its owner, functions of the language.
import { useMemo } from 'react'
import type { Id } from '../../../model-schema/model.ts'
import { useModel } from '../../editor/useEditor.ts'
import { namesAt } from './names.ts'
import type { Services } from './language.ts'

export function useServices(owner: Id): Services {
  const model = useModel(model => model)
  return useMemo(() => servicesOf(() => namesAt(model, owner)), [model, owner])
}

function servicesOf(names: () => ReturnType<typeof namesAt>): Services {
  return {
    syntax: [],
    suggest(text, at) {
      const word = /[\p{L}\p{N}_]*$/u.exec(text.slice(0, at))?.[0] ?? ''
      return { from: at - word.length, list: names() }
    },
    describe: () => null,
  }
}
