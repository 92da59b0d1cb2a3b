// Runs the official Ethereum state tests from a folder: STATE_TESTS=.../GeneralStateTests node tests/engine/chain/state-tests.ts [filter]
// Prints passed, failed and refused cases per group, and exits 1 if a case failed. Tests: github.com/ethereum/tests (MIT).
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { curveParts, loadCurves } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../../sim-engine/chain/evm/rules.ts'
import { runStateCase } from '../../help/chain/state-case.ts'
import type { StateTest } from '../../help/chain/state-case.ts'

const folder = process.env.STATE_TESTS
if (folder === undefined) {
  console.error('Set STATE_TESTS to the folder GeneralStateTests of github.com/ethereum/tests.')
  process.exit(2)
}

await loadCurves(curveParts)

/** Cases that are refused by name: what they need is not provided, and the machine says so. */
const refused: { reason: string; matches: (file: string, name: string) => boolean }[] = [
  // Gas is counted in doubles. These two ask for 2^63 and spend most of it on the way down 1,024 calls.
  { reason: 'gas limits above 2^53', matches: file => /static_LoopCallsDepthThenRevert[23]\.json/.test(file) },
  {
    reason: 'billions of gas take minutes',
    matches: file => /CALLBlake2f_MaxRounds|vmPerformance/.test(file) && process.env.SLOW === undefined,
  },
]

function attempt(run: () => string | undefined): string | undefined {
  try {
    return run()
  } catch (error) {
    return `the machine threw ${error instanceof Error ? error.stack : String(error)}`
  }
}

type Group = { passed: number; failed: string[]; refused: number }
const groups = new Map<string, Group>()
const filter = process.argv[2] ?? ''
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json') && file.includes(filter))
for (const file of files.toSorted()) {
  if (process.env.VERBOSE !== undefined) console.log(file)
  const group = groups.get(file.split('/')[0]!) ?? { passed: 0, failed: [], refused: 0 }
  groups.set(file.split('/')[0]!, group)
  const tests = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, StateTest>
  for (const [name, test] of Object.entries(tests)) {
    for (const [fork, cases] of Object.entries(test.post)) {
      const known = fork.toLowerCase()
      if (!(known in rulesOf)) continue
      for (const [at, expected] of cases.entries()) {
        if (refused.some(one => one.matches(file, name))) {
          group.refused++
          continue
        }
        const problem = attempt(() => runStateCase(test, known as Fork, expected))
        if (problem === undefined) group.passed++
        else group.failed.push(`${file} ${name} ${fork} #${at}: ${problem}`)
      }
    }
  }
}
let failures = 0
for (const [name, group] of groups) {
  console.log(`${name}: ${group.passed} passed, ${group.failed.length} failed, ${group.refused} refused`)
  failures += group.failed.length
}
for (const line of [...groups.values()].flatMap(group => group.failed).slice(0, 100)) console.log(line)
const total = [...groups.values()].reduce((sum, group) => sum + group.passed, 0)
console.log(`${total} passed, ${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1
