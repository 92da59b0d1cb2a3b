// The bench's models, built from components as a person would on the canvas. Each has a yardstick in handwritten.ts.
import {
  agents,
  cells,
  compute,
  create,
  delay,
  destroy,
  end,
  every,
  exclusive,
  from,
  links,
  model,
  move,
  otherwise,
  place,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start,
  statistic,
  variable,
  when,
  type Built,
} from '../help/models.ts'

const grid = (last: number, wrap: boolean) =>
  space('Land', { minX: '0', maxX: String(last), minY: '0', maxY: String(last), wrapX: wrap, wrapY: wrap })

export const schelling = (W: number, K: number, R: number, T: number): Built =>
  model(
    scenario({ totalTicks: 20 }),
    grid(W - 1, false),
    cells('Plot', { space: 'Land' }),
    agents(
      'Household',
      { initialNumber: String(K), space: 'Land', placement: 'emptyCells' },
      variable('group', `1 if id <= ${K / 2} else 0`),
      variable('happy', 'False'),
      process(
        'Settle',
        start(every(1)),
        compute(`happy = sum(1 for plot in moore(${R}) for other in agents_on(plot) if other.group == group) >= ${T}`),
        exclusive('happy?'),
        when('happy'),
        end(),
        from('happy?'),
        otherwise(),
        place('', { where: 'randomEmptyCell' }),
        end(),
      ),
    ),
    statistic('share', 'sum(1 for h in Household if h.happy) / Household.count', { sample: 'end' }),
  )

export const fire = (W: number, density: number): Built =>
  model(
    scenario({ totalTicks: 100 }),
    grid(W - 1, false),
    cells(
      'Tree',
      { space: 'Land', order: 'simultaneous' },
      variable('state', `(2 if x == 0 else 1) if random() < ${density} else 0`),
      process(
        'Burn',
        start(every(1)),
        compute('if state == 2:\n    state = 3\nelif state == 1 and any(t.state == 2 for t in von_neumann()):\n    state = 2'),
        end(),
      ),
    ),
    statistic('burnt', 'sum(1 for t in Tree if t.state == 3)', { sample: 'end' }),
  )

export const life = (W: number): Built =>
  model(
    scenario({ totalTicks: 100 }),
    grid(W - 1, true),
    cells(
      'Cell',
      { space: 'Land', order: 'simultaneous' },
      variable('alive_now', 'random() < 0.3'),
      process(
        'Live',
        start(every(1)),
        compute('n = sum(1 for c in moore() if c.alive_now)\nalive_now = n == 3 or (n == 2 and alive_now)'),
        end(),
      ),
    ),
    statistic('alive_cells', 'sum(1 for c in Cell if c.alive_now)', { sample: 'end' }),
  )

export const sirNetwork = (n: number, infected: number): Built =>
  model(
    scenario({ totalTicks: 100 }),
    agents(
      'Person',
      { initialNumber: String(n), order: 'simultaneous' },
      variable('state', `1 if id <= ${infected} else 0`, { public: true }),
      process(
        'Spread',
        start(every(1)),
        compute(
          'if state == 1:\n    for other in relatives(Knows):\n        if other.state == 0 and random() < 0.05:\n            other.state = 1\n    if random() < 0.1:\n        state = 2',
        ),
        end(),
      ),
    ),
    links('Knows', { source: 'Person', target: 'Person', generator: 'randomCount', number: String(5 * n), repeatable: true }),
    statistic('recovered', 'sum(1 for p in Person if p.state == 2) / Person.count', { sample: 'end' }),
  )

export const queue = (servers: number, lambda: number): Built =>
  model(
    scenario({ totalTicks: 1e12, ticking: false }),
    resource('Server', servers),
    process(
      'Serve',
      start({ trigger: 'timer', every: `exponential(1 / ${lambda})`, maximum: '1000000' }),
      request('Server'),
      delay('exponential(1)'),
      release('Server'),
      end(),
    ),
    statistic('wait', 'Server.mean_wait', { sample: 'end' }),
  )

export const flocking = (W: number, count: number, R: number, totalTicks: number): Built =>
  model(
    scenario({ totalTicks }),
    space('Sky', { topology: 'continuous', minX: '0', maxX: String(W), minY: '0', maxY: String(W), wrapX: true, wrapY: true }),
    agents(
      'Bird',
      { initialNumber: String(count), space: 'Sky', placement: 'random' },
      variable('u', '2 * random() - 1'),
      variable('v', '2 * random() - 1'),
      process(
        'Fly',
        start(every(1)),
        compute(
          [
            'n = 0',
            'sx = 0',
            'sy = 0',
            'mx = 0',
            'my = 0',
            'ax = 0',
            'ay = 0',
            `W = ${W}`,
            `for b in neighbors(${R}):`,
            '    n += 1',
            '    dx = b.x - x',
            '    dy = b.y - y',
            '    if dx > W / 2:\n        dx -= W\n    elif dx < -W / 2:\n        dx += W',
            '    if dy > W / 2:\n        dy -= W\n    elif dy < -W / 2:\n        dy += W',
            '    sx += dx\n    sy += dy\n    mx += b.u\n    my += b.v',
            '    if dx * dx + dy * dy < 1:\n        ax -= dx\n        ay -= dy',
            'share = max(n, 1)',
            'u += (0.03 * sx + 0.015 * ax + 0.05 * mx) / share',
            'v += (0.03 * sy + 0.015 * ay + 0.05 * my) / share',
            'length = sqrt(u * u + v * v)',
            'if length > 0:\n    u /= length\n    v /= length',
          ].join('\n'),
        ),
        move('translate', 0, { vector: '[u, v]' }),
        end(),
      ),
    ),
    statistic('polarisation', 'sqrt(sum(b.u for b in Bird) ** 2 + sum(b.v for b in Bird) ** 2) / Bird.count', { sample: 'end' }),
  )

export const wolfSheep = (W: number, sheep: number, wolves: number, regrow: number, ps: number, pw: number): Built => {
  const animal = (name: string, number: number, most: number, food: number, p: number, eat: string) =>
    agents(
      name,
      { initialNumber: String(number), space: 'Land', placement: 'cells' },
      variable('energy', `randint(0, ${most})`, { public: true }),
      process(
        'Live',
        start(every(1)),
        place(`cell_at(max(0, min(${W - 1}, x + dx)), max(0, min(${W - 1}, y + dy)))`, {
          before: 'd = choice([(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)])\ndx = d[0]\ndy = d[1]',
        }),
        compute(`energy -= 1\n${eat.replace('FOOD', String(food))}`),
        exclusive('starved?'),
        when('energy < 0'),
        destroy(),
        end(),
        from('starved?'),
        otherwise(),
        exclusive('breeds?'),
        when(`random() < ${p}`),
        create(name, 1, { as: 'offspring', before: 'energy /= 2', values: [{ property: 'energy', mode: 'inherit', value: '' }] }),
        end(),
        from('breeds?'),
        otherwise(),
        end(),
      ),
      variable('dx', 0),
      variable('dy', 0),
    )
  return model(
    scenario({ totalTicks: 100 }),
    grid(W - 1, false),
    animal('Sheep', sheep, 10, 5, ps, 'if cell.grown:\n    cell.grown = False\n    energy += FOOD'),
    animal(
      'Wolf',
      wolves,
      26,
      13,
      pw,
      'prey = choice(agents_on(cell, Sheep)) if len(agents_on(cell, Sheep)) > 0 else None\nif prey is not None:\n    die(prey)\n    energy += FOOD',
    ),
    cells(
      'Grass',
      { space: 'Land', order: 'fixed' },
      variable('grown', 'random() < 0.5', { public: true }),
      variable('countdown', `${regrow} if grown else randint(0, ${regrow})`, { public: true }),
      process(
        'Grow',
        start(every(1)),
        compute(
          `if not grown:\n    if countdown <= 0:\n        grown = True\n        countdown = ${regrow}\n    else:\n        countdown -= 1`,
        ),
        end(),
      ),
    ),
    statistic('sheep', 'Sheep.count', { sample: 'end' }),
  )
}
