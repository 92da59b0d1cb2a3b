// The tasks, each with an id of its own.
import { build } from './build.ts'
import { change } from './change.ts'
import { explain } from './explain.ts'
import { fix } from './fix.ts'
import { look } from './look.ts'
import { refuse } from './refuse.ts'
import type { Task } from './task.ts'
import { validate } from './validate.ts'

export const groups: Readonly<Record<string, readonly Task[]>> = { build, fix, explain, change, validate, look, refuse }
export const tasks: readonly Task[] = Object.values(groups).flat()
