// What people who come from elsewhere call things: AnyLogic, Arena, Simio, NetLogo, BPMN, system dynamics and queueing theory, in both languages.
// By the key of the offer that does it; one line a language, words between commas.
import { kindsOn } from '../../../model-schema/kinds.ts'
import type { CanvasKind, Words } from '../../../model-schema/kinds/kind.ts'
import { offersOn, type Offer } from '../grammar.ts'
import { presetsOn } from './presets.ts'

type Synonyms = { readonly en: string; readonly zh: string }

export const synonyms: { readonly [offer: string]: Synonyms } = {
  agent: {
    en: 'turtle, turtles, breed, individual, person, people, actor, animal, vehicle, population, entity type, object, mover, pedestrian',
    zh: '主体, 个体, 人, 人员, 动物, 车辆, 群体, 种群, 海龟, 行人',
  },
  cell: {
    en: 'patch, patches, grid, lattice, cellular automaton, cellular automata, tile, raster, land, field cell',
    zh: '单元格, 斑块, 网格, 格点, 元胞自动机, 栅格, 地块',
  },
  link: {
    en: 'network, edge, graph, tie, relation, relationship, connection, social network, arc',
    zh: '网络, 边, 图, 关系, 社交网络, 弧',
  },
  space: {
    en: 'world, environment, map, plane, topology, continuous space, arena, territory, layout',
    zh: '世界, 环境, 地图, 平面, 区域, 场地',
  },
  variable: {
    en: 'parameter, attribute, property, state, constant, globals, own variable, value, auxiliary, converter, plain variable',
    zh: '参数, 属性, 状态, 常量, 全局变量, 辅助变量, 转换器',
  },
  container: {
    en: 'storage, store, inventory, warehouse, tank, buffer, level, bin, account, silo, vessel',
    zh: '存储, 库存, 仓库, 储罐, 缓冲区, 水位, 账户',
  },
  'preset/pool': {
    en: 'resource, resource pool, server, servers, machine, staff, worker, operator, nurse, doctor, clerk, capacity, equipment, teller, station, resource set',
    zh: '资源, 服务器, 机器, 员工, 工人, 操作员, 护士, 医生, 设备, 柜员, 工位',
  },
  'preset/queue': {
    en: 'queue, queueing, M/M/1, M/M/c, waiting line, waiting room, source service sink, clinic, call centre, shop, service system, discrete event',
    zh: '队列, 排队, 等待, 等候室, 诊所, 呼叫中心, 服务系统, 离散事件',
  },
  'preset/stock': { en: 'accumulator, accumulation, reservoir, tank, stock variable', zh: '累积量, 水库, 储罐, 库存' },
  'preset/stockFlow': {
    en: 'system dynamics, flow, rate, inflow, outflow, stock and flow, valve, differential equation',
    zh: '系统动力学, 流量, 速率, 流入, 流出, 存量流量图, 阀门, 微分方程',
  },
  'preset/input': { en: 'parameter, input, factor, setting, chooser, user input, control parameter', zh: '参数, 输入, 因子, 设置' },
  'preset/counter': { en: 'count, counter, number of, tally counter, total', zh: '计数, 总数' },
  'preset/event': {
    en: 'event, timeout, scheduled event, shock, drought, at time, once, trigger at time, intervention, schedule',
    zh: '事件, 超时, 计划事件, 冲击, 干旱, 定时, 一次, 干预',
  },
  'preset/walkers': {
    en: 'moving agents, walkers, walk, wander, random walk, brownian, movement',
    zh: '移动, 游走, 漫步, 随机游走, 布朗运动',
  },
  'preset/randomWalk': { en: 'move, walk, wander, wiggle, brownian, movement, go', zh: '移动, 行走, 漫步, 布朗运动' },
  'preset/infection': {
    en: 'infect, contagion, disease, epidemic, SIR, spread, virus, transmission, diffusion',
    zh: '传染, 疾病, 流行病, 传播, 病毒, 扩散',
  },
  'preset/reproduction': { en: 'birth, hatch, offspring, reproduce, breed, sprout', zh: '出生, 后代, 生育, 繁衍' },
  'preset/death': { en: 'die, death, lifetime, mortality, survival', zh: '死亡, 寿命, 死亡率' },
  process: {
    en: 'behaviour, behavior, procedure, go, workflow, flowchart, statechart, state chart, routine, activity diagram, pool, lane, to go',
    zh: '行为, 过程, 工作流, 流程图, 状态图, 例程, 泳道',
  },
  function: { en: 'reporter, to-report, formula, method, table function, lookup, macro', zh: '报告器, 公式, 方法, 查找表, 宏' },
  message: { en: 'signal, mail, broadcast, event type, communication', zh: '信号, 邮件, 广播, 通信' },
  statistic: {
    en: 'monitor, measure, indicator, KPI, output, metric, tally, dstat, reporter, record, time persistent, dataset',
    zh: '监视器, 指标, 度量, 输出, 记录, 数据集',
  },
  'chart/chart-line': { en: 'plot, time series, time plot, graph, line, curve, trend', zh: '绘图, 时间序列, 曲线, 趋势图' },
  'chart/chart-bar': { en: 'bar, column chart, bars, ranking', zh: '条形图, 柱' },
  'chart/chart-histogram': { en: 'distribution, frequency, histogram data', zh: '分布, 频率, 直方' },
  'chart/chart-value': { en: 'monitor, number, display, indicator, readout, gauge', zh: '监视器, 数字, 显示, 指示器' },
  worldView: { en: 'view, world, animation, map, 2D view, presentation, display, space view', zh: '视图, 世界, 动画, 地图, 演示' },
  networkChart: { en: 'graph view, network view, social network, node-link', zh: '网络视图, 社交网络' },
  'controller/slider': { en: 'range, knob, control, edit parameter', zh: '滑动条, 调节, 控件' },
  'controller/number': { en: 'input box, edit box, field, spinner', zh: '输入框, 编辑框' },
  'controller/switch': { en: 'toggle, checkbox, on off, boolean', zh: '复选框, 切换, 开关' },
  'controller/select': { en: 'chooser, dropdown, combo box, radio buttons, option', zh: '选择器, 下拉框, 单选' },
  'controller/button': { en: 'press, action, go button, setup', zh: '按下, 动作' },
  note: { en: 'text, comment, annotation, documentation, label, sticky', zh: '文本, 注释, 说明, 标签, 便签' },
  frame: { en: 'box, area, region, group box, rectangle', zh: '方框, 区域, 矩形' },
  image: { en: 'picture, photo, icon, background', zh: '图片, 照片, 背景' },
  tagset: { en: 'enum, enumeration, categories, option list, states', zh: '枚举, 类别, 选项' },
  'start/start': { en: 'start event, enter, setup, initialize, begin, none start, startup', zh: '启动, 进入, 初始化' },
  'start/start-timer': { en: 'timer, cyclic, every, periodic, source, arrival, arrivals, clock', zh: '定时器, 周期, 每隔, 到达, 时钟' },
  'start/start-condition': { en: 'when, trigger, conditional start', zh: '当, 触发, 条件触发' },
  'start/start-message': { en: 'on message, message received, receive, incoming', zh: '收到消息, 接收' },
  'preset/source': {
    en: 'arrival, arrivals, generate, generator, creator, arrival process, interarrival, poisson, create entities, entry',
    zh: '到达, 生成, 产生, 到达过程, 泊松, 入口',
  },
  'preset/service': {
    en: 'server, serve, process module, seize delay release, treatment, workstation, machine, processing, activity, work, station, user task',
    zh: '服务器, 处理, 占用延时释放, 治疗, 工位, 机器, 加工, 工作, 用户任务',
  },
  'preset/seize': {
    en: 'queue, seize, wait for resource, acquire, waiting line, enter queue, hold resource',
    zh: '队列, 排队, 占用, 获取资源, 等候',
  },
  'preset/assembly': {
    en: 'assembler, assemble, combine, join parts, match, synchronize, combiner, kit',
    zh: '组装, 合并, 匹配, 同步, 组合',
  },
  'preset/batch': { en: 'group, batching, collect, pallet, batcher, load', zh: '成组, 收集, 托盘, 打包' },
  'preset/hold': { en: 'wait until, gate, scan, condition event, block, wait for', zh: '等到, 闸门, 阻塞, 条件' },
  'preset/wander': { en: 'wiggle, random walk, step, brownian, jump', zh: '随机游走, 漫步, 跳' },
  end: {
    en: 'sink, dispose, exit, leave, terminate, end event, destroy token, departure, stop',
    zh: '汇, 离开, 退出, 处置, 终止, 结束事件',
  },
  compute: {
    en: 'assign, script, code, calculation, set, action, script task, assignment, program',
    zh: '赋值, 脚本, 代码, 设置, 动作, 编程',
  },
  delay: {
    en: 'wait, hold, timeout, service time, processing time, pause, task, conveyor, travel time',
    zh: '等待, 停留, 服务时间, 处理时间, 暂停, 任务',
  },
  ask: { en: 'foreach, for each, of, with, select agents, one-of, neighbours, neighbors', zh: '遍历, 对每个, 邻居, 选择个体' },
  call: { en: 'call activity, run process, invoke, submodel, enter, procedure call', zh: '调用活动, 子模型, 执行' },
  subprocess: { en: 'loop, repeat, while, block, group of steps, sub-process, nested', zh: '循环, 重复, 当, 嵌套' },
  create: { en: 'hatch, sprout, birth, spawn, new agent, split, duplicate, clone, reproduce', zh: '孵化, 出生, 生成, 新建, 复制, 克隆' },
  destroy: { en: 'die, kill, remove agent, death, delete', zh: '死亡, 杀死, 移除, 删除' },
  move: { en: 'forward, fd, left, right, turn, face, move to, walk, go to, travel, transport', zh: '前进, 左转, 右转, 转向, 行走, 运输' },
  place: { en: 'setxy, move-to, jump, teleport, jump to, set position', zh: '跳转, 传送, 设置位置' },
  'operate/request': { en: 'seize, acquire, allocate, grab, get resource, queue', zh: '占用, 获取, 分配, 排队' },
  'operate/release': { en: 'free, give back, return, deallocate, unseize', zh: '归还, 返还, 释放资源' },
  'operate/take': { en: 'consume, withdraw, use up, outflow, get, remove from', zh: '消耗, 提取, 用掉, 流出' },
  'operate/put': { en: 'produce, store, fill, add to, inflow, deposit, supply', zh: '生产, 存入, 填充, 流入, 补货' },
  'operate/transfer': { en: 'move stock, ship, flow between, exchange', zh: '转移, 运送, 交换' },
  'gateway/exclusive': {
    en: 'select output, decide, branch, if, xor, choice, condition, decision, routing, switch',
    zh: '分支, 判断, 如果, 异或, 选择, 路由',
  },
  'gateway/probability': {
    en: 'select output, by chance, random branch, percent, decide by chance, probability branch',
    zh: '随机分支, 百分比, 按概率',
  },
  'gateway/parallel': { en: 'and, fork, split, join, copy, concurrent, clone token', zh: '与, 分叉, 汇合, 并发, 复制' },
  'gateway/inclusive': { en: 'or, some, multiple choice', zh: '或, 多选' },
  'gateway/synchronizing': { en: 'merge, wait for all, rendezvous, combine', zh: '合并, 等待全部, 会合' },
  'gateway/event': { en: 'first one, race, deferred choice, whichever first, renege', zh: '先到者, 竞争, 延迟选择' },
  'gateway/mofn': { en: 'batch, join, discriminator, group', zh: '成批, 鉴别器, 分组' },
  log: { en: 'print, show, trace, output, debug, traceln, check, assertion', zh: '打印, 输出, 跟踪, 调试, 断言' },
}

/** Everything the palette offers on a canvas: presets first, what does not run last. */
export function everythingOn(canvas: CanvasKind): readonly Offer[] {
  const offers = offersOn(canvas)
  return [...presetsOn(canvas), ...offers.filter(offer => !offer.kind.planned), ...offers.filter(offer => offer.kind.planned)]
}

export type Hit = { readonly offer: Offer; /** The word of elsewhere it was found by. */ readonly by: string | null }

/** What is called so here or elsewhere, the closest first. An empty search gives all as they are. */
export function findIn(offers: readonly Offer[], search: string): readonly Hit[] {
  const wanted = plain(search)
  if (wanted === '') return offers.map(offer => ({ offer, by: null }))
  return offers
    .flatMap((offer, order) => {
      const hit = rankOf(offer, wanted)
      return hit === null ? [] : [{ offer, order, by: hit.by, rank: hit.rank + (offer.kind.planned ? 10 : 0) }]
    })
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ offer, by }) => ({ offer, by }))
}

/** 0 its own name, 1 one of its words, 2 the beginning of its name, 3 that of a word, 4 anywhere in its name, 5 anywhere in a word. */
function rankOf(offer: Offer, wanted: string): { rank: number; by: string | null } | null {
  const names = [offer.label.en, offer.label.zh, offer.kind.label.en, offer.kind.label.zh, offer.kind.id].map(plain)
  const words = wordsOf(offer)
  const ways: readonly ((text: string) => boolean)[] = [
    text => text === wanted,
    text => text.startsWith(wanted),
    text => text.includes(wanted),
  ]
  for (const [i, fits] of ways.entries()) {
    if (names.some(fits)) return { rank: 2 * i, by: null }
    const by = words.find(word => fits(plain(word)))
    if (by !== undefined) return { rank: 2 * i + 1, by }
  }
  return null
}

/** What else an offer is called. */
export function wordsOf(offer: Offer): readonly string[] {
  const known = synonyms[offer.key] ?? synonyms[offer.kind.id]
  return known ? `${known.en}, ${known.zh}`.split(', ') : []
}

const plain = (text: string): string => text.trim().toLowerCase()

/** What is called so, but stands on another sort of canvas: told instead of “not found”. */
export function findElsewhere(canvas: CanvasKind, search: string): readonly { offer: Offer; on: CanvasKind }[] {
  if (plain(search) === '') return []
  return elsewhere
    .filter(on => on !== canvas)
    .flatMap(on => findIn(everythingOn(on), search).map(({ offer }) => ({ offer, on })))
    .filter(({ offer }) => !kindsOn(canvas).includes(offer.kind) || offer.make !== undefined)
    .slice(0, 4)
}

const elsewhere: readonly CanvasKind[] = ['root', 'process', 'entity']

/** Where that canvas is found. */
export const placeOf: { readonly [canvas in CanvasKind]?: Words } = {
  root: { en: 'on the scenario', zh: '在场景画布上' },
  process: { en: 'inside a process', zh: '在流程内部' },
  entity: { en: 'inside an agent, cell or link', zh: '在智能体、元胞或连接内部' },
}
